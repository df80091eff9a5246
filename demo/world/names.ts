/** A member's name, its origin and related facts. */
export interface Origin {
  readonly language: string;
  readonly regions: readonly string[];
  readonly women: readonly string[];
  readonly men: readonly string[];
  readonly families: readonly string[];
  /** Form of the family name for men, if different. */
  readonly mensFamilies?: readonly string[];
  /** Separator after a family name that comes first. */
  readonly familyFirst?: '' | ' ';
  readonly weight: number;
}

const list = (text: string) => text.split(', ');

/** Places around the harbour, for members who moved there. */
export const homeRegions = list(
  'Cornwall, Devon, Dorset, Norfolk, Suffolk, Northumberland, Pembrokeshire, Gwynedd, Fife, Argyll, Orkney, Antrim',
);

export const origins: Readonly<Record<string, Origin>> = {
  english: {
    language: 'en',
    regions: homeRegions,
    women: list(
      'Imogen, Harriet, Beatrix, Maisie, Rosalind, Tamsin, Edith, Phoebe, Morwenna, Nell, Winifred, Clementine',
    ),
    men: list('Barnaby, Jago, Rufus, Wilfred, Alistair, Denzil, Theo, Gilbert, Rowan, Edmund, Hugo, Jory'),
    families: list(
      'Pascoe, Trelawny, Ashdown, Fairweather, Larkin, Penrose, Holloway, Marsh, Whitlock, St John, Smith-Jones, Quick',
    ),
    weight: 15,
  },
  irish: {
    language: 'en',
    regions: list('Galway, Kerry, Cork, Antrim, Donegal'),
    women: list('Aoife, Niamh, Sinéad, Gráinne, Róisín, Bríd, Orla, Sorcha'),
    men: list('Oisín, Cormac, Seán, Tadhg, Pádraig, Diarmuid, Fionn, Eoin'),
    families: list('O’Brien, O’Sullivan, de Brún, Byrne, O’Dowd, Kinsella, O’Rourke, FitzGerald'),
    weight: 7,
  },
  welsh: {
    language: 'cy',
    regions: list('Gwynedd, Pembrokeshire, Ceredigion'),
    women: list('Cerys, Siân, Bronwen, Angharad, Lowri, Nia'),
    men: list('Rhys, Gethin, Llŷr, Emyr, Dafydd, Ioan'),
    families: list('Rees, Llewellyn, Gruffydd, Prys, Bevan, Wynne'),
    weight: 4,
  },
  german: {
    language: 'de',
    regions: list('Hamburg, Schleswig-Holstein, Bremen, Sachsen'),
    women: list('Anneliese, Jördis, Käthe, Frauke, Lena, Mareike'),
    men: list('Jörg, Björn, Matthias, Hauke, Götz, Friedrich'),
    families: list('Müller, Großmann, Schäfer, Petersen, von Bülow, Weiß, Köhler'),
    weight: 6,
  },
  dutch: {
    language: 'nl',
    regions: list('Zeeland, Noord-Holland, Friesland'),
    women: list('Femke, Marijke, Saskia, Liesbeth, Noor'),
    men: list('Joost, Wouter, Pieter, Thijs, Sjoerd'),
    families: list('van der Meer, de Vries, ’t Hart, Dijkstra, van den Berg, Visser'),
    weight: 5,
  },
  french: {
    language: 'fr',
    regions: list('Bretagne, Normandie, Nouvelle-Aquitaine'),
    women: list('Maëlle, Anaïs, Solène, Zoé, Françoise, Héloïse'),
    men: list('Loïc, Yann, Étienne, Jérôme, Malo, François'),
    families: list('Le Goff, Kerguélen, D’Aramitz, Lefèvre, Château, Bonnaud'),
    weight: 6,
  },
  spanish: {
    language: 'es',
    regions: list('Galicia, Asturias, Cantabria, Euskadi'),
    women: list('Begoña, Inés, Lucía, Ximena, Nuria'),
    men: list('Íñigo, Álvaro, Joaquín, Andrés, Ramón'),
    families: list('Núñez, Ibáñez de la Vega, Peña, García Lorca, Muñoz, Etxeberria'),
    weight: 6,
  },
  portuguese: {
    language: 'pt',
    regions: list('Algarve, Setúbal, Açores, Ceará'),
    women: list('Conceição, Inês, Catarina, Luísa, Beatriz'),
    men: list('João, Simão, Gonçalo, Vasco, Nuno'),
    families: list('da Conceição, Magalhães, Guimarães, Brandão, Araújo, de Sá'),
    weight: 5,
  },
  italian: {
    language: 'it',
    regions: list('Liguria, Veneto, Sardegna'),
    women: list('Chiara, Ludovica, Ginevra, Noemi'),
    men: list('Niccolò, Davide, Tommaso, Elia'),
    families: list('D’Angelo, Dell’Acqua, Lo Presti, Moretti, Degl’Innocenti'),
    weight: 5,
  },
  nordic: {
    language: 'sv',
    regions: list('Bohuslän, Skåne, Vestland, Nordland, Vestfirðir'),
    women: list('Åsa, Sigríður, Ingebjørg, Maren, Þórdís, Saga'),
    men: list('Øyvind, Björn, Ólafur, Søren, Åke, Leif'),
    families: list('Sjöberg, Ødegård, Þórarins, Lindqvist, Kjær, Hakonsen'),
    weight: 6,
  },
  finnish: {
    language: 'fi',
    regions: list('Uusimaa, Lappi, Ahvenanmaa'),
    women: list('Aino, Päivi, Säde, Kyllikki'),
    men: list('Väinö, Ilmari, Jussi, Ahti'),
    families: list('Mäkelä, Järvinen, Hämäläinen, Yli-Pelto'),
    weight: 3,
  },
  polish: {
    language: 'pl',
    regions: list('Pomorskie, Mazowieckie, Dolnośląskie'),
    women: list('Małgorzata, Zofia, Agnieszka, Żaneta'),
    men: list('Łukasz, Tomasz, Paweł, Stanisław'),
    families: list('Wiśniewska, Kowalczyk, Żuraw, Dąbrowska, Zając'),
    mensFamilies: list('Wiśniewski, Kowalczyk, Żuraw, Dąbrowski, Zając'),
    weight: 5,
  },
  czech: {
    language: 'cs',
    regions: list('Praha, Vysočina, Jihočeský kraj'),
    women: list('Kateřina, Žofie, Růžena, Ludmila'),
    men: list('Ondřej, Jiří, Matěj, Řehoř'),
    families: list('Dvořáková, Martinů, Krejčí, Růžičková'),
    mensFamilies: list('Dvořák, Martinů, Krejčí, Růžička'),
    weight: 4,
  },
  turkish: {
    language: 'tr',
    regions: list('İzmir, Muğla, Trabzon'),
    women: list('Gülşen, Ayşe, İpek, Çiğdem'),
    men: list('Oğuz, Çağrı, İsmail, Emre'),
    families: list('Yıldız, Şahin, Öztürk, Çelik'),
    weight: 4,
  },
  vietnamese: {
    language: 'vi',
    regions: list('Đà Nẵng, Quảng Ninh'),
    women: list('Thị Hương, Ngọc Ánh, Minh Châu'),
    men: list('Văn Đức, Quốc Bảo, Hữu Phước'),
    families: list('Nguyễn, Trần, Đặng, Phạm'),
    familyFirst: ' ',
    weight: 4,
  },
  westAfrican: {
    language: 'en',
    regions: list('Lagos, Accra, Dakar, Cornwall'),
    women: list('Adaeze, Folásadé, Efua, N’Deye, Yaa'),
    men: list('Chukwuemeka, Kwabena, Olúwaṣeun, Mamadou, Kojo'),
    families: list('Okonkwo, Adébáyọ̀, N’Diaye, Mensah, Eze, Diop'),
    weight: 6,
  },
  eastAfrican: {
    language: 'sw',
    regions: list('Mombasa, Zanzibar, Adis Abeba'),
    women: list('Wanjiku, Zawadi, Hiwot, Neema'),
    men: list('Baraka, Tesfaye, Juma, Kamau'),
    families: list('Ng’ang’a, Otieno, Abebe, Mwangi'),
    weight: 4,
  },
  indian: {
    language: 'hi',
    regions: list('Kerala, Goa, Gujarat'),
    women: list('Ananya, Meenakshi, Priya, Lakshmi'),
    men: list('Arjun, Vikram, Ravi, Harish'),
    families: list('Iyer, Nair, D’Souza, Patel, Banerjee'),
    weight: 6,
  },
  pacific: {
    language: 'mi',
    regions: list('Otago, Waikato, Hawaiʻi'),
    women: list('Ngaire, Kaʻiulani, Mere'),
    men: list('Tāne, Keoni, Wiremu'),
    families: list('Tūhoe, Kealoha, Ngata'),
    weight: 3,
  },
  ukrainian: {
    language: 'uk',
    regions: list('Одеська область, Київ'),
    women: list('Олена, Соломія, Надія'),
    men: list('Тарас, Богдан, Андрій'),
    families: list('Шевченко, Коваленко, Мельник'),
    weight: 4,
  },
  greek: {
    language: 'el',
    regions: list('Κυκλάδες, Κρήτη'),
    women: list('Ελένη, Δάφνη, Ιωάννα'),
    men: list('Νίκος, Οδυσσέας, Στέλιος'),
    families: list('Παπαδάκη, Θαλασσινού, Καραγιάννη'),
    mensFamilies: list('Παπαδάκης, Θαλασσινός, Καραγιάννης'),
    weight: 3,
  },
  arabic: {
    language: 'ar',
    regions: list('الإسكندرية, طنجة, مسقط'),
    women: list('ليلى, نور, سلمى, هدى'),
    men: list('يوسف, عمر, كريم, زياد'),
    families: list('البحري, حدّاد, المنصوري, نجّار'),
    weight: 4,
  },
  hebrew: {
    language: 'he',
    regions: list('חיפה, תל אביב'),
    women: list('נועה, תמר, יעל'),
    men: list('איתן, יונתן, אורי'),
    families: list('לוי, בן־דוד, ים־שחור'),
    weight: 3,
  },
  japanese: {
    language: 'ja',
    regions: list('北海道, 瀬戸内, 神奈川県'),
    women: list('さくら, 美咲, 陽子, 葵'),
    men: list('大輔, 海斗, 健太, 渚'),
    families: list('田中, 佐々木, 港, 渡辺'),
    familyFirst: ' ',
    weight: 4,
  },
  korean: {
    language: 'ko',
    regions: list('부산광역시, 제주특별자치도'),
    women: list('민서, 지우, 하은'),
    men: list('준호, 민준, 바다'),
    families: list('김, 이, 박, 남궁'),
    familyFirst: '',
    weight: 3,
  },
  chinese: {
    language: 'zh',
    regions: list('福建省, 香港, 山东省'),
    women: list('雨桐, 海燕, 思琪'),
    men: list('子轩, 浩然, 明'),
    families: list('陈, 林, 欧阳, 李'),
    familyFirst: '',
    weight: 3,
  },
};
