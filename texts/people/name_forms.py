"""How people are called in texts: short forms of first names, titles, and words that are names and everyday words."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from ...operators.reading.names import english_names

_SHORT_FORMS: Final = """
agnieszka aga | aidan aid | alejandro ale jandro | aleksandra ola | alexander alex al sandy xander sasha lex |
alexandra alex sandra sasha lexi | andrew andy drew | anthony tony ant | antónio toni tonio | barbara barb babs |
beatriz bia bea | benjamin ben benny | bernard bernie | carolina caro carol | caroline caro carrie | catherine cath
cathy kate katie cat | charles charlie chuck chas | charlotte charlie lottie | christine chris chrissie tina |
christopher chris kit topher | constance connie | cornelius con | cristina cris tina | daniel dan danny | david dave
davy | deborah deb debs debbie | dennis den | dmitri dima | donald don donny | dorothy dot dottie | eduardo edu |
edward ed eddie ted teddy ned | ekaterina katya | eleanor ellie nell nellie nora | elizabeth liz lizzie beth eliza
betty bess libby lisa | emily em emmy | emma em | fernando nando | filipe lipe | francesca fran frankie chess |
francis frank fran | francisco paco chico kiko pancho | frederick fred freddie | gabriel gabe gabi | gabriela gabi
gaby | geoffrey geoff jeff | george geordie | gerald gerry jerry | giovanni gianni vanni | giuseppe beppe peppe |
gonçalo gonga | gregory greg | guadalupe lupe | guilherme gui | gustavo gus guga | harold harry hal | henry harry
hank | ignacio nacho | isabel isa bel izzy bella | isabella bella izzy isa | jacob jake | jacqueline jackie | james
jim jimmy jamie | jennifer jen jenny jenn | jeremy jez jerry | jessica jess jessie | jesús chuy | joanna jo joan |
johannes hannes jo | john johnny jack jon | jonathan jon jonny | joseph joe joey jo | josephine jo josie | joshua
josh | josé pepe zé | joão jão | judith judy jude | katarzyna kasia | katherine kath kathy kate katie kat | kenneth
ken kenny | lawrence larry laurie | leonard len lenny leo | luís lu | luísa lu | magdalena magda lena | manuel manel
manu manolo | margaret maggie meg peg peggy marge mags rita | maria mia mari | mariana mari | martha marty | martin
marty | matthew matt matty | maximilian max | małgorzata gosia | michael mike mick micky mikey | mikhail misha |
mohammed mo | muhammad mo | natalie nat | nathaniel nate nat | nicholas nick nicky | nicola nic nicky | nicole nic
nicky | nikolai kolya | oliver ollie olly | olivia liv livvy | pamela pam | patricia pat patsy tricia trish |
patrick pat paddy | penelope penny pen | peter pete | philip phil pip | philippa pip pippa | priscilla cilla |
pádraig pat paddy podge | rafael rafa | rebecca becky becca bex | reginald reg reggie | ricardo ric rick | richard
rick ricky dick rich richie | robert bob bobby rob robbie bert | roberta bobbie | rodrigo digo | ronald ron ronnie |
rosemary rosie | rosário rosa | russell russ | samantha sam sammy | samuel sam sammy | sarah sally sal | sebastian
seb bastian basti | sebastián seba | sergei seryozha | sophie soph | stephanie steph | stephen steve stevie | steven
steve stevie | susan sue suzie | susanna sue suzie | suzanne sue suzie | tamara tammy | teresa terry tess tessa |
theodore ted teddy theo | theresa terry tess tessa | thomas tom tommy | timothy tim timmy | tobias tobi toby |
tomasz tomek | toni tony | ursula uschi | valerie val | victor vic | victoria vic vicky tori | vincent vince vinnie
| virginia ginny ginger | vladimir vova volodya | walter walt wally | wilfred wilf | wilhelm willi | william will
bill billy liam willy | winifred winnie | yevgeny zhenya | yolanda yoli | zachary zach zac | zbigniew zbyszek
"""


def word_set(text: str) -> frozenset[str]:
    """Words parted by spaces, as a set."""
    return frozenset(text.split())


SHORT_FORMS: Final = MappingProxyType(
    {names[0]: frozenset(names[1:]) for names in map(str.split, _SHORT_FORMS.split("|"))}
)
"""First name, lower case, to what people of the name are called."""

TITLES: Final = word_set("""
dr doctor mr mrs ms miss mx prof professor sir dame rev reverend fr coach captain nurse sensei sifu guru señor
señora senhor senhora dona frau herr signor signora madame monsieur dra dott dottoressa uncle aunt auntie aunty
tante onkel tio tia zia zio oncle
""")
FAMILY_TITLES: Final = word_set("uncle aunt auntie aunty tante onkel tio tia zia zio oncle")

NAME_WORDS: Final = word_set("""
will mark may june april august summer autumn dawn rose grace joy hope faith art bill jack pat rob sue bob frank
rich drew sunny ray dean max chase guy miles wade cliff heath glen dale lane brook skip chip buck duke earl king
prince price ruby pearl amber crystal olive ivy lily daisy violet holly heather hazel poppy iris jasmine ginger sage
basil rosemary sandy misty stormy melody harmony destiny trinity angel chance christian pa ma an ana so do go can us
me mia ben la le mo jo al ed em ali sal val viv van von per jan mar sun sol bo rod nick tom tim pip kit cat dot bee
gene jean josh don ken hugh bea lee long song wing young ford bell cook baker hunter mason taylor carter cooper
parker miller smith berry cherry candy honey star sky rain river storm win wolf fox bear lion jay robin martin
phoenix paris london florence sydney austin dallas charlotte chelsea brooklyn savannah madison jordan israel india
asia china georgia virginia carolina lorraine vienna sienna roman milan adelaide victoria penny nat trip dash eve
noel carol merry lou liv
""")
"""First names and short forms that also say something else: they are names only with a capital."""

NOT_NAMES: Final = word_set("""
besos bisous bises bacio baci beijos beijinhos bjs abraço kuss gruß grüße hugs kisses xo xoxo darling dearest honey
i the a an my our your his her their this that these those it he she we they you who what when where why how and or
but so if then than as at by for from in into of off on onto out over to up with without after before about around
near today tonight tomorrow yesterday morning afternoon evening night noon midnight week weekend month year
christmas easter xmas eid diwali halloween thanksgiving hanukkah ramadan holi valentine's new year's eve day yes no
ok okay hi hello hey dear thanks thank cheers best love regards kind sincerely please sorry great happy lovely good
bad all both some any many much more most none one two three four five six seven eight nine ten first last next not
never always also just only even still again too very really quite pretty here there now soon later breakfast brunch
lunch dinner supper drinks coffee tea beer wine pizza pasta sushi curry cake birthday party wedding meeting call gym
run yoga swim walk hike ride class football tennis dentist doctor gp physio vet hospital surgery cinema theatre
concert gig show film movie museum zoo park beach pub bar cafe café restaurant hotel flight train bus airport
station office home house flat kitchen garden school work university college church library shop market mall apple
google amazon netflix spotify zoom teams slack whatsapp facebook instagram visa mastercard paypal klarna uber
english french german italian spanish portuguese irish british american indian chinese japanese korean thai mexican
greek turkish lebanese polish dutch australian re fwd fw ps pm am tv uk us usa eu nhs hr vip diy asap rsvp tbc tbd
everyone everybody someone somebody anyone nobody people friends family team crew guys girls boys lads colleagues
mates did do does is are was were be been has have had can could will would shall should might must let let's god
jesus santa lord total order booking invoice receipt ticket table room
""")
"""Capitalised words that are nobody's name where the profile does not say so, beside months and weekdays."""

COMPANY_WORDS: Final = word_set("""
ltd limited inc llc gmbh plc corp co company bank airlines airways rail railways insurance hotel hotels group club
clinic practice surgery hospital centre center school studio studios academy university college street road avenue
lane park square station airport cafe café restaurant bar pub kitchen house market shop store books cinema theatre
theater museum gallery gym dental physio physiotherapy health energy telecom mobile pharmacy foundation society
council united rovers city fc rfc team support service services office reception department bistro trattoria brewery
bakery
""")
"""Words of firms and places: a run of capitals that holds one is no person."""


def is_no_name(word: str) -> bool:
    """Whether a capitalised word, in small letters, is nobody's name where the profile does not say so."""
    return word in NOT_NAMES or word in english_names()
