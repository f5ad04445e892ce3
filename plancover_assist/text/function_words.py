"""Hindi function words as people type them in Latin letters, with their Devanagari form.

They tell that a text is Hinglish, and being short and frequent they are restored from these tables
instead of being guessed from their sound. A spelling belongs to one Devanagari form: the commonest.
"""

# One line a word: Devanagari, then its spellings. None of them is an English word or a usual short form.
_SURE = """
है hai haii
हैं hain hein
हूँ hoon
था tha
थे thay
थी thi
हुआ hua huwa
हुई huyi hui
हुए huye
होता hota
होती hoti
होते hote
होगा hoga
होगी hogi
होंगे honge
होना hona
होने hone
का ka kaa
की ki kee
के ke
को ko
में mein mei
क्या kya kyaa
क्यों kyon kyun kyu kyo
कैसे kaise kese kaisey
कैसा kaisa kesa
कैसी kaisi kesi
कब kab
कहाँ kahan kaha kahaan
कौन kaun kon koun
कौनसा kaunsa konsa
कौनसी kaunsi konsi
कौनसे kaunse konse
किस kis
किसे kise
किसको kisko
किसका kiska
किसकी kiski
किसके kiske
किसी kisi
कितना kitna kitnaa
कितनी kitni
कितने kitne
नहीं nahi nahin nhi nai nahii nahee
मेरा mera meraa
मेरी meri
मुझे mujhe muje mujhey mjhe
मुझको mujhko mujko
मैंने mene mainne
हमारा hamara humara hmara
हमारी hamari humari hmari
हमारे hamare humare hmare
हमें hamein humein hamen
हमको hamko humko
अपना apna apnaa
अपनी apni
अपने apne
आप aap
आपका aapka apka
आपकी aapki apki
आपके aapke apke
आपको aapko apko
तुम tum
तुम्हारा tumhara
तुम्हारी tumhari
उसका uska
उसकी uski
उसके uske
उसको usko
उन्हें unhe unhen
उनका unka
उनकी unki
उनके unke
उनको unko
इसका iska
इसकी iski
इसके iske
इसको isko
इसमें isme ismein
उसमें usme usmein
इनका inka
इनकी inki
इनके inke
यह yeh
वह woh voh
यहाँ yahan yaha yahaan
वहाँ wahan waha vahan
और aur
भी bhi bhee
तो toh
तक tak
बाद baad
पहले pehle pahle phle pahele
अगर agr
लेकिन lekin lekn
मगर magar
क्योंकि kyunki kyonki kyuki kyoki
इसलिए isliye islie
लिए liye
साथ saath sath
बिना bina binaa
वाला wala vala waala
वाली wali vali waali
वाले wale waale
कुछ kuch kuchh kch
सब sab
सभी sabhi
सारे saare
सारी saari
बहुत bahut bohot bhot bahot bohut bht
थोड़ा thoda thora
ज्यादा jyada zyada jyaada zyaada
कम kam
अभी abhi abhee
फिर phir
जिस jis
जिसका jiska
जिसमें jisme jismein
कर kar
करके karke krke
करना karna krna karnaa
करने karne krne
करता karta krta
करती karti krti
करते karte krte
करो karo kro
करें kare karein kren krein
करूँ karu karun karoon kru krun
करेगा karega krega
करेगी karegi
करेंगे karenge krenge
किया kiya kiyaa
करदो kardo krdo
करदिया kardiya krdiya
आज aaj aj
साल saal
पास paas
बारे baare
गया gaya gya gayaa
गई gayi gyi
गए gaye gye gae
जाए jaye jaaye
जाएगा jayega jaega jayga jaayega
जाएगी jayegi jaegi
जाना jana jaana
रहा raha rha
रही rahi rhi
रहे rahe rhe
सकता sakta skta
सकती sakti skti
सकते sakte skte
चाहिए chahiye chaiye chahie chahiyey chaie
चाहता chahta
चाहती chahti
पड़ेगा padega parega
मिलेगा milega milegaa
मिलेगी milegi
मिलता milta
मिलती milti
मिला mila
दीजिए dijiye dijie
देना dena
देगा dega
दिया diya
हुआ hogya hogaya
हुई hogyi hogayi
पड़ा pada
पड़ी padi
लगा laga
लगी lagi
बताओ batao btao bataao
बताइए bataiye btaiye bataye
बताएं batayen batayein btayen
हाँ haan
वगैरह vagairah wagairah
मतलब matlab mtlb
"""

# Short forms, names or rare English words as well: two of them, or one beside a sure word, make Hinglish.
_WEAK = """
लिया liya
आ aa
दिन din
चार char
पास pas
दूँ du dun
कटे kate
पापा papa
मम्मी mummy mammi
एक ek
हूँ hun
हुए hue
क्या kia
जब jab
से se
ने ne
हूँ hu
या ya
ना na
आप ap
ये ye
वो wo vo
यह yah
मैंने maine
मैं mai
करें karen
अब ab
अगर agar
जो jo
जी ji
तू tu
सब sb
ही hee
फिर fir
जाए jae
कर kr
कोई koi
मिली mili
गई gai
हो hoo
है hay
"""

# Ordinary English words as well: Hindi only where the text is known to be Hinglish.
_HOMOGRAPHS = """
में me
तो to
है h he
इस is
था the
दो do
ही hi
मैं main
पर par per
सो so
इन in
हम hum
हो ho
ले le
दे de
मत mat
तब tab
मेरे mere
"""


def _table(lines: str) -> dict[str, str]:
    rows = (line.split() for line in lines.strip().splitlines())
    return {spelling: row[0] for row in rows for spelling in row[1:]}


SURE = _table(_SURE)
WEAK = _table(_WEAK)
HOMOGRAPHS = _table(_HOMOGRAPHS)
# All of them; a spelling of two tables belongs to the surer one.
FUNCTION_WORDS = {**HOMOGRAPHS, **WEAK, **SURE}
