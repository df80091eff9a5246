/** One culture's names, in the order in which its members write them. */
export interface Culture {
  readonly region: string;
  /** As members write it in `languagesSpoken`. */
  readonly language: string;
  readonly familyFirst?: boolean | undefined;
  readonly female: readonly string[];
  readonly male: readonly string[];
  readonly family: readonly string[];
}

/** Common names of ten places, with spaces between them. No combination is a real person's. */
const table = [
  {
    region: 'England',
    language: 'English',
    female: 'Amelia Beth Charlotte Daisy Eleanor Freya Grace Hannah Imogen Jessica Lucy Matilda Nora Poppy Ruby Sophie',
    male: 'Alfie Ben Callum Daniel Edward Finn George Harry Isaac Jack Leo Max Noah Oliver Rhys Thomas',
    family: 'Adams Baker Carter Davies Evans Fletcher Green Hughes Jenkins Knight Lloyd Morris Palmer Reed Shaw Walker',
  },
  {
    region: 'México',
    language: 'Español',
    female:
      'Alejandra Beatriz Camila Daniela Elena Fernanda Gabriela Inés Jimena Lucía María Natalia Paola Renata Sofía Ximena',
    male: 'Alejandro Bruno Carlos Diego Emilio Felipe Gael Héctor Iván Javier Leonardo Mateo Nicolás Óscar Pablo Santiago',
    family:
      'Aguilar Castillo Cruz Domínguez Flores García Hernández Jiménez López Martínez Núñez Ortiz Peña Ramírez Torres Vázquez',
  },
  {
    region: '東京',
    language: '日本語',
    familyFirst: true,
    female: '葵 結衣 陽菜 咲良 美咲 桜 凛 優奈 七海 愛 彩花 遥 千尋 真央 琴音 芽衣',
    male: '蓮 陽翔 大翔 悠真 湊 樹 颯太 翔太 健太 拓海 大輔 直樹 亮 誠 和也 隆',
    family: '佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 松本 井上 木村',
  },
  {
    region: 'Maharashtra',
    language: 'हिन्दी',
    female: 'Aanya Bhavna Chitra Deepa Esha Gauri Ishita Jaya Kavya Lakshmi Meera Nisha Priya Radha Sunita Tara',
    male: 'Aarav Bharat Chetan Dev Farhan Gopal Harsh Ishaan Kabir Manish Nikhil Om Rahul Sanjay Tarun Vikram',
    family: 'Agarwal Banerjee Chauhan Desai Gupta Iyer Joshi Kapoor Mehta Nair Patel Rao Shah Sharma Singh Verma',
  },
  {
    region: 'Lagos',
    language: 'Yorùbá',
    female:
      'Abiọ́lá Adaeze Bísí Chiamaka Ẹbun Fọlákẹ́ Ifeoma Kẹ́mi Mọ́rẹ́nikẹ́ Ngozi Ọlábísí Ṣadé Tèmítọ́pẹ́ Uche Yétúndé Zainab',
    male: 'Adébáyọ̀ Babátúndé Chidi Dayọ̀ Emeka Fẹ́mi Ibrahim Jídé Kúnlé Musa Nnamdi Ọbáfẹ́mi Ṣẹ́gun Táíwò Tunde Yẹ̀mí',
    family: 'Abiola Adeyemi Balogun Bello Eze Ibekwe Lawal Musa Nwosu Obi Ogunleye Okafor Okonkwo Onyeka Sanusi Yusuf',
  },
  {
    region: 'Україна',
    language: 'Українська',
    female:
      'Анна Богдана Вікторія Ганна Дарина Злата Ірина Катерина Леся Марія Наталія Оксана Поліна Соломія Тетяна Юлія',
    male: 'Андрій Богдан Віктор Григорій Данило Захар Іван Кирило Любомир Максим Назар Олександр Петро Роман Тарас Юрій',
    family:
      'Бойко Бондаренко Гнатюк Гончар Іваненко Коваль Кравчук Лисенко Мельник Мороз Поліщук Руденко Савчук Ткач Франко Шевченко',
  },
  {
    region: 'القاهرة',
    language: 'العربية',
    female: 'آية أمل بسمة دينا رانيا ريم زينب سارة سلمى شيماء فاطمة ليلى مريم منى نور هبة',
    male: 'أحمد أنس بلال حسن خالد زياد سامي طارق عادل علي عمر كريم محمد مصطفى هاني يوسف',
    family: 'إبراهيم البنا الجندي الحداد الخطيب الشريف العطار القاضي المصري النجار بدوي حسن سالم عثمان فهمي منصور',
  },
  {
    region: 'Bayern',
    language: 'Deutsch',
    female: 'Anna Birgit Clara Dörte Emma Franziska Greta Heike Ida Jule Katharina Lena Mia Paula Sabine Ursula',
    male: 'Anton Bernd Christian Dirk Emil Felix Günter Hannes Jan Jürgen Karl Lukas Moritz Paul Stefan Uwe',
    family:
      'Bauer Becker Fischer Groß Hofmann Jäger Keller Krüger Lange Müller Neumann Richter Schäfer Schmidt Wagner Weiß',
  },
  {
    region: '서울',
    language: '한국어',
    familyFirst: true,
    female: '가은 나연 다은 민서 보라 서연 소영 수진 아름 예진 유나 은지 지민 채원 하은 혜진',
    male: '건우 도윤 동현 민준 상우 서준 성민 승현 영호 우진 재현 정우 준호 지훈 태양 현우',
    family: '강 권 김 박 서 송 신 안 오 윤 이 임 장 정 최 한',
  },
  {
    region: 'Bahia',
    language: 'Português',
    female:
      'Ana Bianca Camila Débora Eduarda Fernanda Giovana Helena Isabela Juliana Larissa Mariana Natália Patrícia Rafaela Vitória',
    male: 'André Bruno Caio Davi Eduardo Felipe Gabriel Heitor João Lucas Miguel Otávio Pedro Rafael Thiago Vinícius',
    family:
      'Almeida Araújo Barbosa Cardoso Costa Ferreira Gomes Lima Machado Moreira Oliveira Pereira Ribeiro Santos Silva Souza',
  },
];

export const cultures: readonly Culture[] = table.map(({ female, male, family, ...place }) => ({
  ...place,
  female: female.split(' '),
  male: male.split(' '),
  family: family.split(' '),
}));
