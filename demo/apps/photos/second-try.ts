/** Loads a picture that failed once more a second later, since a busy site refuses some; calls back if that fails, too. */
export function tryTwice(image: HTMLImageElement, onFailure: () => void): void {
  image.onerror = () => {
    image.onerror = onFailure;
    setTimeout(() => {
      const { src } = image;
      image.src = src;
    }, 1_000);
  };
}
