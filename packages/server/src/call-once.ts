/** Makes a function that runs `work` on its first call, and always returns that promise. */
export function callOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
