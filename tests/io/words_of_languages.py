"""Words of many languages: names, towns and illnesses, and the encodings in which old systems write them."""

from __future__ import annotations

WORDS = {
    "german": (
        "Müller Jörg Weiß Käthe Böhm Günter Fröhlich Übelkeit Schäfer Größe Köln München Nürnberg Lähmung "
        "Rückenschmerzen Bäcker Jäger Schröder Krüger Straße Düsseldorf"
    ),
    "french": (
        "Lefèvre François Hélène Benoît Éric Noël Agnès Gérard Français fièvre douleur à l'épaule Orléans "
        "Nîmes Besançon Chloé Zoé œdème hémorragie diabète Désiré Jérôme"
    ),
    "spanish": (
        "García Núñez Muñoz Íñigo José Lucía Ibáñez Peña Begoña niño años corazón pulmón Málaga Cádiz "
        "León Jaén Córdoba crónica úlcera infección"
    ),
    "portuguese": (
        "Gonçalves Araújo Magalhães Simões Conceição Leitão Brandão João Inês Luís São Póvoa coração "
        "pulmão úlcera infecção hipertensão Évora Guimarães"
    ),
    "italian": (
        "Nicolò Niccolò Zoè Forlì Cantù Cefalù D'Angelò città età università perché più metà Canicattì difficoltà caffè"
    ),
    "swedish": (
        "Åke Björn Göran Märta Söderström Åström Öberg Malmö Göteborg Västerås sjukhus hjärtsvikt "
        "förmaksflimmer höft knä Jönköping Örebro"
    ),
    "danish": (
        "Søren Jørgen Bjørn Kjær Møller Østergaard Århus Ærø sygdom hjerteinsufficiens åreforkalkning "
        "Rønne Køge Næstved Grønbæk"
    ),
    "norwegian": (
        "Bjørg Åse Øystein Tromsø Ålesund Bodø Lillestrøm hjertesykdom åreforkalkning Sørensen Nygård "
        "Grønn Færøyvik Kåre"
    ),
    "finnish": (
        "Mäkinen Hämäläinen Väinö Päivi Jyväskylä Hyvinkää Hänninen sydänkohtaus Mäntylä Töölö Löytynoja Yrjö Räty"
    ),
    "icelandic": (
        "Guðrún Þórður Jóhann Sigríður Ísafjörður Reykjavík Björk Halldór Þorsteinsdóttir Ægir "
        "Hafnarfjörður Kristín sjúkdómur ofnæmi Jónsdóttir Friðrik"
    ),
    "dutch": "Daniël Zoë Joëlle België coördinatie Chloé José patiënt patiënten reünie financiën Noël Ruïne",
    "catalan": (
        "Núria Adrià Mercè Jordà Peñíscola Mataró Gràcia coração infecció diagnòstic àcid fràgil Joaquín "
        "Lluís Òscar Íngrid"
    ),
    "estonian": "Jõgi Mägi Kõiv Põld Tõnu Ülle Tüür Käärik Õunapuu sünnipäev südamerike Võru Põlva Jõhvi",
    "irish": "Seán Siobhán Pádraig Máire Ó Briain Róisín Éamonn Dún Laoghaire Áine Caoimhín Ó Súilleabháin",
    "hungarian": (
        "Kovács Szőke Győző Erzsébet Lőrincz Sándor Ilona Tóth Bőr szívbetegség Győr Székesfehérvár Pécs "
        "Hódmezővásárhely Őze Fűtő Szűcs"
    ),
    "czech": (
        "Dvořák Nováčková Božena Říha Zdeněk Jiří Černý Šťastný Růžena Ondřej Plzeň Děčín Ústí zánět "
        "cukrovka Kateřina Tomáš"
    ),
    "slovak": (
        "Ľubomír Žofia Kováč Šťastný Ďurčanský Čierny Jozef Mária Žilina Košice Banská Štiavnica chrípka "
        "zápal pľúc Tomáš Ľudmila"
    ),
    "polish": (
        "Łukasz Małgorzata Wiśniewski Dąbrowska Łódź Kraków Gdańsk Żółć Zażółć gęślą jaźń Świętokrzyskie "
        "Wójcik Kamiński Zieliński Jabłoński"
    ),
    "croatian": (
        "Šimić Đurđević Čačić Žarko Petrović Marković Jurić Kovačić Šibenik Čakovec upala pluća žučni "
        "kamenac Đakovo Božić"
    ),
    "slovene": (
        "Žnidaršič Šuštar Čeh Krajnčič Novak Zupančič Škofja Loka Čatež Kočevje pljučnica žolčni Peršič Božič Košir"
    ),
    "romanian": (
        "Ştefan Ţepeş Băsescu Râmnicu Vâlcea Ionuţ Gheorghiţă Măria Bacău Galaţi Braşov înălţime ţară şi "
        "inimă Constanţa"
    ),
    "turkish": (
        "Yılmaz Şahin Ayşe Öztürk Çelik Gökhan Muğla İstanbul İzmir Kadın Işık Doğan Güneş Yıldız Akdağ "
        "Çağlar Kılıç Şükrü Aydın"
    ),
    "lithuanian": (
        "Jonas Šarūnas Žydrūnas Kęstutis Ąžuolas Čepaitė Gražvydas Šiauliai Panevėžys Ėglė Jurgūtė "
        "Vilnius širdies liga Žemaitė"
    ),
    "latvian": (
        "Jānis Bērziņš Kalniņš Ķegums Liepāja Rēzekne Ģirts Šķēle Ņikita Ilūkste Ozoliņa Krūmiņš sirds slimība Ēriks"
    ),
    "russian": (
        "Иванов Петрова Сидоренко Смирнов Екатерина Москва Санкт-Петербург диабет гипертония Алексей Щукин Юлия Жуков"
    ),
    "ukrainian": "Шевченко Їжакевич Київ Львів Олександр Єлизавета Ґалаґан діабет гіпертонія Коваленко Мельник",
    "bulgarian": "Иванов Георгиева Димитър Пловдив София Стоянов Николай Щерев захарен диабет",
    "greek": ("Παπαδόπουλος Γεώργιος Ελένη Θεσσαλονίκη Αθήνα Νίκος Ιωάννης διαβήτης υπέρταση Κωνσταντίνος Ψαρράς"),
    "hebrew": "כהן לוי מזרחי דוד שרה חיפה ירושלים סוכרת אסתמה פרידמן ביטון",
    "arabic": "محمد فاطمة القاهرة السكري ارتفاع ضغط الدم عبد الله حسن خديجة الإسكندرية",
    "vietnamese": "Nguyễn Trần Phạm Đặng Hồ Chí Minh Hà Nội Đỗ Thị Hương Lê Văn Quý",
    "japanese": "佐藤太郎 鈴木花子 高橋一郎 田中美咲 高血圧 糖尿病 肺炎 東京 大阪 名古屋",
    "chinese": "王伟 李娜 张敏 刘洋 北京 上海 糖尿病 高血压 广州 陈静 杨丽",
    "korean": "김민수 이영희 박지훈 서울 부산 당뇨병 고혈압 최수진 정하늘",
}
WESTERN = (
    "german",
    "french",
    "spanish",
    "portuguese",
    "italian",
    "swedish",
    "danish",
    "norwegian",
    "finnish",
    "icelandic",
    "dutch",
    "catalan",
    "estonian",
    "irish",
)
"""Those for which windows-1252 was made."""
ENCODINGS = {
    **dict.fromkeys(WESTERN, ("cp850", "cp437", "mac_roman")),
    "hungarian": (
        "cp1250",
        "iso8859_2",
        "cp852",
        "mac_latin2",
    ),
    "czech": (
        "cp1250",
        "iso8859_2",
        "cp852",
        "mac_latin2",
    ),
    "slovak": (
        "cp1250",
        "iso8859_2",
        "cp852",
        "mac_latin2",
    ),
    "polish": (
        "cp1250",
        "iso8859_2",
        "cp852",
        "mac_latin2",
    ),
    "croatian": (
        "cp1250",
        "iso8859_2",
        "cp852",
    ),
    "slovene": (
        "cp1250",
        "iso8859_2",
        "cp852",
    ),
    "romanian": (
        "cp1250",
        "iso8859_2",
        "cp852",
    ),
    "turkish": (
        "cp1254",
        "iso8859_9",
        "cp857",
        "mac_turkish",
    ),
    "lithuanian": (
        "cp1257",
        "iso8859_13",
        "iso8859_4",
        "cp775",
    ),
    "latvian": (
        "cp1257",
        "iso8859_13",
        "iso8859_4",
        "cp775",
    ),
    "russian": (
        "cp1251",
        "koi8_r",
        "iso8859_5",
        "cp866",
        "mac_cyrillic",
    ),
    "ukrainian": (
        "cp1251",
        "koi8_u",
        "cp1125",
    ),
    "bulgarian": (
        "cp1251",
        "iso8859_5",
        "cp866",
    ),
    "greek": (
        "cp1253",
        "iso8859_7",
        "cp737",
    ),
    "hebrew": (
        "cp1255",
        "iso8859_8",
        "cp862",
    ),
    "arabic": (
        "cp1256",
        "iso8859_6",
        "cp864",
    ),
    "vietnamese": ("cp1258",),
    "japanese": (
        "shift_jis",
        "euc_jp",
    ),
    "chinese": (
        "gbk",
        "big5",
        "gb18030",
    ),
    "korean": (
        "euc_kr",
        "johab",
    ),
}
"""Language → encodings that are not windows-1252."""
