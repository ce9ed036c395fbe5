"""What mathematical words mean, in several languages: one concept for "divisor", "multiple", "整除" and "teilbar".

A concept is what survives when a problem is reworded or translated. Words of inflected languages are given as the
prefix that their forms share (``triang*``); Chinese, Japanese and Korean terms are found anywhere in a run of text. A
line that starts with a blank goes on with the concept before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TABLE = """
triangle: triangle triangles triangular triáng* dreieck* треуг* | 三角形 삼각형
quadrilateral: quadrilater* quadrangle cuadrilát* quadrilatèr* viereck* четыр* | 四边形 四邊形 四角形 사각형
trapezoid: trapezoid* trapezium trapec* trapèz* trapez* трапец* | 梯形 台形 사다리꼴
rectangle: rectang* rechteck* прямоугольник* | 矩形 长方形 長方形 직사각형
parallelogram: parallelogram* paralelogram* parallélogram* parallelogramm* параллелограмм*
 | 平行四边形 平行四邊形 平行四辺形 평행사변형
rhombus: rhombus* rhombi rombo* losange* raute* ромб* | 菱形 마름모
polygon: polygon* gon gons gonal pentag* hexag* heptag* octag* nonag* decag* dodecag*
 sided polígon* vieleck* многоугольник*
 | 边形 邊形 角形 多边形 多邊形 다각형
circle: circle circles circular circunferencia* círculo* cercle* kreis* окружност* круг* | 圆 圓 円 원
semicircle: semicirc* demi* halbkreis* полуокружност* | 半圆 半圓 半円 반원
ellipse: ellips* elips* эллипс* | 椭圆 橢圓 楕円 타원
parabola: parabol* parábol* парабол* | 抛物线 拋物線 放物線 포물선
hyperbola: hyperbol* hipérbol* гипербол* | 双曲线 雙曲線 双曲線 쌍곡선
sphere: sphere* spherical hyperspher* esfera* sphère* kugel* сфер* шар* | 球面 球体 球體
cube: cube cubes cubic cubed cubo* würfel* куб* | 立方 正方体 正方體 세제곱
cone: cone cones conical cono* cône* kegel* конус* | 圆锥 圓錐 円錐 원뿔
cylinder: cylind* cilindr* zylind* цилиндр* | 圆柱 圓柱 円柱 원기둥
pyramid: pyramid* pirámid* пирамид* | 棱锥 稜錐 角錐 金字塔
tetrahedron: tetrahed* tetraed* tétraèd* тетраэдр* | 四面体 四面體 사면체
area: area areas área* aire* fläche* flächeninhalt площад* | 面积 面積 넓이
volume: volume* volumen* объём* объем* | 体积 體積 体積 부피
perimeter: perimet* perímet* périmèt* umfang* периметр* | 周长 周長 둘레
radius: radius radii radio* rayon* радиус* inradius circumradius | 半径 半徑 반지름
diameter: diamet* diámet* diamètr* durchmess* диаметр* | 直径 直徑 지름
angle: angle angles ángul* winkel* угол* угл* | 角 각
perpendicular: perpendic* orthog* senkrecht* rechtwinkl* lotrecht* перпендикуляр* right | 垂直 直角 직각 수직
parallel: parallel paralel* parallèl* параллел* | 平行 평행
tangent: tangent* tangenc* touch touches touching tangente* berühr* касат* касает* | 相切 切线 切線 切于 接する 접하
inscribed: inscrib* incircle inradius incent* inscrit* einbeschrieb* inkreis* вписан* | 内切 內切 内接 內接 내접
circumscribed: circumc* circumscrib* circumradius umkreis* circonscri* описан* | 外接 外切 外心 外接圆 외접
midpoint: midpoint* punto_medio milieu* mittelpunkt* середин* halfway | 中点 中點 중점
bisector: bisect* bissectr* winkelhalbierend* биссектрис* | 平分 二等分 이등분
altitude: altitud* height* foot hauteur* höhe* высот* | 高 垂足 높이
vertex: vertex vertices corner corners vértic* sommet* ecke ecken вершин* | 顶点 頂點 頂点 꼭짓점
diagonal: diagonal* диагонал* | 对角线 對角線 対角線 대각선
chord: chord chords cuerda* corde* sehne* хорд* | 弦 현
isosceles: isoscel* isósce* isocèl* gleichschenkl* равнобедрен* | 等腰 二等辺 이등변
equilateral: equilater* equiláte* équilatér* gleichseitig* равносторон* | 等边 等邊 正三角形 정삼각형
regular: regular regulär* régulier* regelmäßig* правильн* | 正多边形 正多邊形 正
convex: convex* convexe* konvex* выпукл* | 凸
reflection: reflect* mirror* reflej* spiegel* отраж* симметр* symmetr* | 对称 對稱 対称 反射 대칭
rotation: rotat* turn turned turning spin* giro* gira* drehung* dreh* поворот* поворач* | 旋转 旋轉 回転 회전
origin: origin origen* origine* ursprung* начал* | 原点 原點 원점
axis: axis axes eje ejes achse* ось оси | 轴 軸 축
coordinate: coordinat* coorden* coordonn* koordinat* координат* abscissa ordinate | 坐标 座標 좌표
intersection: intersect* meet meets common intersec* schnitt* schneid* пересе* cross crosses
 | 交点 交點 相交 交于 交於 교점
collinear: collinear* colineal* | 共线 共線 一直线
lattice: lattice* retícul* gitter* решёт* | 格点 格點 整点 格子
distance: distance* far apart distancia* abstand* entfern* расстоян* | 距离 距離 거리
length: length* long longitud* longueur* länge* длин* | 长度 長度 长为 长 長さ 길이
side: side sides lado* côté* seite* сторон* leg legs | 边 邊 辺 변
plane: plane planes plano* plan ebene* плоскост* | 平面 평면
segment: segment* strecke* отрез* | 线段 線段 線分 선분
prime: prime primes primo* premier* primzahl* прост* | 素数 质数 質數 素數 素因数 素因子 质因数 소수
divisibility: divisor* divid* divides divisible multiple* factor factors divis* teiler* teilbar* vielfach*
 делит* кратн*
 | 整除 因数 因數 因子 约数 約數 倍数 倍數 約数 약수 배수
gcd: gcd hcf common_divisor | 最大公约数 最大公約数 최대공약수
lcm: lcm common_multiple | 最小公倍数 최소공배수
coprime: coprime relatively coprim* teilerfremd* взаимно lowest irreducible | 互素 互质 互質 互いに素 最简 既约 서로소
remainder: remainder* residue* modulo mod modulus resto* reste* rest остат*
 | 余数 餘數 余り 나머지 模 同余
digit: digit digits dígit* chiffre* ziffer* цифр* numeral* | 位数 位數 数字 數字 桁 자리
base: base bases basis système основан* notation | 进制 進制 進法 진법
even: even gerade* чётн* четн* pares pair | 偶数 偶數 짝수
odd: odd impar* impair* ungerade* нечётн* нечетн* | 奇数 奇數 홀수
square: square squares squared cuadrad* carré* quadrat* квадрат* | 平方 完全平方 正方形 제곱 정사각형
factorial: factorial* fakultät* факториал* | 阶乘 階乘 階乗
integer: integer* whole entero* entier* ganzzahl* ganze* цел* | 整数 整數 정수
rational: rational rationals racional* rationnel* rationale* рациональн* | 有理 유리수
real: real reals reell* réel* действительн* вещественн* | 实数 實數 実数 실수
complex: complex complejo* complexe* komplex* комплексн* imaginary | 复数 複數 複素数 복소수
polynomial: polynom* polinom* многочлен* | 多项式 多項式 다항식
coefficient: coeffic* coefic* koeffizient* коэффициент* | 系数 係數 係数 계수
root: root roots raíz* raíc* racine* wurzel* корен* корн* zero zeros zeroes vanish* solution solutions | 根 零点 解 근
monic: monic mónic* unitaire* normiert* | 首一 最高次
degree: degree degrees grado* degré* grad степен* | 次数 次數 度 차수
sequence: sequence* sucesión* suite* folge* последовательност* progression* | 数列 數列 序列 수열
arithmetic: arithmetic aritmétic* arithmétiq* арифметическ* | 等差
geometric: geometric geométric* géométriq* геометрическ* | 等比
sum: sum sums total totals altogether add adds adding suma* somme* summe* сумм* | 和 之和 总和 總和 합
product: product* producto* produit* produkt* произведен* multiplied multiply | 积 積 乘积 곱
difference: difference* differ differs diferenc* différenc* differenz* разност* | 差 差值 차
ratio: ratio ratios proportion* quotient* razón* rapport* verhältnis* отношен* | 比 比值 比例 비
average: average* mean means promedio* moyenne* durchschnitt* средн* expect expected expectation esperan*
 espérance* erwartungswert* ожидан* | 平均 평균 期望 期待値 기댓값
maximum: maxim* máxim* greatest largest biggest most highest grand* größt* наибольш* максим* höchstens | 最大 最多
 최대 최댓값 至多 高々
minimum: minim* mínim* least smallest fewest lowest menor petit* kleinst* наименьш* миним* mindestens moins
 menos менее | 最小 最少 최소 최솟값 至少 少なくとも
logarithm: log logarithm* ln logaritm* логарифм* | 对数 對數 対数 로그
trigonometric: sin cos tan sine cosine cot sec csc trig* seno* | 正弦 余弦 正切 三角函数
floor: floor greatest_integer | 取整 不超过 高斯 ガウス
function: function* función* fonction* funktion* функци* map maps mapping mappings abbildung* aplicación*
 отображен* | 函数 函數 関数 함수 映射
graph: graph graphs curve curves gráfic* courbe* график* | 图像 圖像 图象 曲线 グラフ 그래프
probability: probab* chance chances likely likelihood odds wahrscheinlich* вероятност* | 概率 機率 几率 確率 확률
random: random* randomly aleatori* aléatoire* zufäll* случайн* | 随机 隨機 ランダム 무작위
independent: independ* indépend* unabhängig* независим* | 独立 獨立 독립
uniform: uniform* equally gleichverteilt* равновероятн* fair | 均匀 均勻 一様 等可能
permutation: permut* arrange* rearrang* ordering* orden* anordn* перестанов* | 排列 排成 順列 순열
subset: subset* subconj* sous teilmenge* подмножеств* | 子集 部分集合 부분집합
set: set sets conjunto* ensemble* menge* множеств* collection | 集合 집합
pair: pair pairs couple* couples par pares paar* пар* | 数对 數對 有序对 순서쌍
triple: triple* triples terna* triplet* tripel* тройк* | 三元组 三元組
distinct: distinct different unequal distint* verschieden* различн* pairwise unterscheid* | 不同 互异 相異 異なる 서로
identical: identical indistinguish* same alike idéntic* identiq* одинаков* congruent gleichartig* semblable* |
 相同 完全相同 同じ 全等 合同
colour: color* colour* couleur* farb* цвет* раскра* painted paint coloreé* coloré* | 颜色 顏色 染色 涂 색 塗 涂色
ball: ball balls bola* boule* kugeln шар* | 球 공
box: box boxes caja* boîte* kiste* короб* | 盒 箱 상자
coin: coin coins moneda* pièce* münze* монет* | 硬币 硬幣 コイン 동전
die: die dice dado* dés würfel кубик* | 骰子 サイコロ 주사위
card: card cards carta* carte* karte* карт* deck | 卡片 纸牌 カード 카드
grid: grid grids board boards chessboard cuadrícula* tabler* grille* brett* доск* клет* échiquier* damier*
 schachbrett* | 方格 网格 棋盘 棋盤 マス 격자 棋盘格
cell: cell cells casilla* case* feld* | 格 格子 칸
tile: tile tiles tiling domino* cover* bald* плитк* | 铺 瓷砖 骨牌 タイル
path: path paths walk walks route* camino* chemin* weg* путь пут* tour tours | 路径 路徑 路线 道
game: game games juego* jeu* spiel* игр* | 游戏 遊戲 ゲーム 게임
player: player* jugador* joueur* spieler* игрок* member members | 选手 队员 玩家 球员 선수
person: person people guest* student* friend* persona* personne* leute человек* | 人 学生 學生 사람
chair: chair* seat* sit silla* chaise* stuhl* стул* | 椅子 座位 坐 의자
letter: letter letters letra* lettre* buchstab* букв* | 字母 文字 글자
word: word words palabra* mot* wort* слов* | 单词 單詞 単語 단어
time: hour* minute* hora* heure* stunde* час минут* | 小时 小時 分钟 分鐘 時間 시간
day: day days día* jour* tag tage день дн* daily | 天 每天 日
speed: speed* fast faster slower velocity rate kilomet* miles velocidad* vitesse* geschwind* скорост* | 速度 时速 속력
money: dollar* cent cents price* cost* costs peso* euro* | 价格 價格 円 美元 元钱 块钱
equation: equation* ecuac* gleichung* уравнен* | 方程 方程式 방정식
system: system sistema* système* систем* | 方程组 方程組 連立
exponent: power powers exponent* potencia* puissance* potenz* | 幂 冪 次方 乗 거듭제곱
fraction: fraction* fracc* bruch* дроб* quotient | 分数 分數 분수
count: count* ways número_de combien anzahl* колич* сколько viele cuánt* | 个数 個數 多少 几种 种数 何通り 개수 경우
choice: choose* chosen choosing select* pick picks picked elegir elige elegid* choisi* wähl* gewählt* ausgewählt*
 выбра* выбир* | 选取 选出 選ぶ 選び 選取 고르
removal: remov* eras* delet* discard* supprim* elimin* quita* lösch* entfern* удал* стира* стёр*
 | 删去 删除 去掉 取り除 移除
replacement: replac* swap swaps swapped exchang* substitut* ersetz* ersetzt remplac* reemplaz* замен*
 | 替换 換成 换成 置き換
connection: join* connect* link* linked verbind* verbund* соедин* conect* reli* | 连接 連接 连成 結ぶ
jump: jump* hop hops hopping leap* salt* saute* spring* hüpf* прыг* прыж* | 跳
region: region* piece pieces región regiones région* gebiet* област* част* | 区域 區域 領域
split: split* partition* group groups piles grupo* groupe* gruppe* групп* | 分成 分组 分組 分け
increase: increas* rise rises grow grows aument* augment* erhöh* steig* увелич* вырас* | 增加 提高 増える
score: score* quiz* exam exams test tests nota notas prüfung* балл* контрольн*
 | 得分 分数线 成绩 点数
red: red rot rote roten roter rotes rojo* roja* rouge* красн* | 红 紅 赤 빨간
blue: blue blau blaue blauen blauer blaues azul azules bleu* синий синие синих синего синяя голуб* | 蓝 藍 青い 파란
green: green grün* verde verdes vert verte verts vertes зелён* зелен* | 绿 綠 緑 초록
white: white weiß* weiss weisse weissen blanc* белые белых белый белая белого | 白 흰
black: black schwarz* negro negra negros negras noir* чёрн* черн* | 黑 黒 검은
row: row rows reihe reihen zeile* fila filas rangée* ligne* ряд ряда ряду строк* | 一排 一行 每行 行数
column: column* spalte* columna* colonne* столбц* столбец | 每列 一列 列数
inside: inside interior innerhalb innere* intérieur* внутри внутренн* | 内部 內部 内側
step: step steps schritt* paso pasos étape* шаг шага шагов | 步
water: water wasser* agua eau вода воды воду | 水
litre: liter liters litre litres litro* литр* | 升 リットル
percent: percent percentage prozent* porcentaje pourcent* процент* | 百分 パーセント
train: train trains zug züge tren trenes поезд* | 火车 火車 列车 電車 列車
car: car cars auto autos coche* voiture* wagen автомобил* машин* | 汽车 車
ship: boat boats ship ships ferry schiff* boot barco* bateau* корабл* лодк* | 船 渡轮
book: book books novel* buch bücher libro* livre* книг* | 书 書籍 本书 小说
apple: apple* apfel äpfel manzana* pomme* яблок* | 苹果 蘋果 りんご リンゴ
tree: tree trees baum bäume árbol* arbre* дерев* | 树 樹
flower: flower* tulip* lily lilies roses blume* tulpe* lilie* flor flores fleur* | 花 郁金香
bird: bird birds vogel vögel pájaro* oiseau* птиц* | 鸟 鳥
frog: frog frogs frosch frösche rana ranas grenouille* grasshopper* лягуш* кузнечик* | 青蛙 カエル 蛙
ant: ant ants beetle* ameise* hormiga* fourmi* муравь* | 蚂蚁 蟻 アリ
woman: woman women girl girls frau frauen mädchen mujer* niña* femme* fille* женщин* девоч* | 女 女生
man: man men boy boys mann männer junge jungen hombre* niño* homme* garçon* мужчин* мальчик* | 男 男生
fence: fence fences wall walls zaun* mauer* valla* muro* clôture* mur murs забор* стен* | 篱笆 墙 塀 壁
worker: worker* painter* work works arbeiter* maler* obrer* pintor* ouvrier* peintre* рабоч* маляр* | 工人 作業
tank: tank tanks basin* becken tanque* réservoir* бак бака бассейн* | 水箱 水池 水槽
bag: bag bags urn urns beutel urne* bolsa* sac sacs мешок мешк* урн* | 袋
house: house houses haus häuser casa casas maison* дом дома домов | 房子
table: table tables tisch* mesa mesas стол стола столом | 桌
city: city cities town towns village* stadt städte dorf* ciudad* pueblo* ville* город* деревн* | 城市 城镇 村 都市
star: star stars estrella* étoile* stern sterne звезд* звёзд* | 恒星 恆星
neighbour: neighbor* neighbour* adjac* next consecutiv* conséc* benachbart* сосед* nebeneinander voisin* junto
 juntos junta juntas | 相邻 相鄰 隣 连续 連續 이웃 연속
"""

_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _read_table() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    words: dict[str, str] = {}
    prefixes: dict[str, str] = {}
    terms: dict[str, str] = {}
    name = ""
    for line in _TABLE.strip().split("\n"):
        if not line.startswith(" "):
            name, _, line = line.partition(":")
        for entry in line.replace("|", " ").split():
            if _HAN.search(entry):
                terms.setdefault(entry, name)
            elif entry.endswith("*"):
                prefixes.setdefault(entry[:-1], name)
            else:
                words.setdefault(entry, name)
    return words, prefixes, terms


_WORDS, _PREFIXES, _TERMS = _read_table()
_TERM = re.compile("|".join(sorted(map(re.escape, _TERMS), key=lambda term: (-len(term), term))))
_LONGEST = max(map(len, _PREFIXES))


def concept_of(word: str) -> str | None:
    """Return the concept that a folded word of an alphabetic language means; the longest known prefix decides."""
    if word in _WORDS:
        return _WORDS[word]
    for length in range(min(len(word), _LONGEST), 2, -1):
        found = _PREFIXES.get(word[:length])
        if found is not None:
            return found
    return None


def concept_places(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the concepts whose Chinese, Japanese or Korean terms stand in a text, and where."""
    for match in _TERM.finditer(text):
        yield _TERMS[match.group()], match.span()


def concepts_in(text: str) -> set[str]:
    """Return the concepts whose Chinese, Japanese or Korean terms stand in a text."""
    return {concept for concept, _ in concept_places(text)}
