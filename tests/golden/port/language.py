numbers = [3, 1, 4, 1, 5, 9, 2, 6]
names = ["ada", "bob"]
half = len(numbers) // 2
print("%d %d %s" % (numbers[0], numbers[-1], names[1]))
first = numbers[:half]
last = numbers[-3:]
middle = numbers[2:-2]
print("%d %d %d" % (len(first), len(last), len(middle)))
squares = [n * n for n in numbers if n % 2 == 1]
print("%d %d" % (len(squares), squares[2]))
table = {name: len(name) for name in names}
print("%d" % table["ada"])
def clamp(x, low=0, high=5):
    if x < low:
        return low
    elif x > high:
        return high
    return x
print("%d %d %d" % (clamp(7), clamp(-2), clamp(3, high=2)))
total = 0
for i, n in enumerate(numbers):
    if n == 1:
        continue
    total += i * n
print("%d" % total)
for a, b in zip(numbers, squares):
    total -= a * b
print(f"{total} {total:5d}|{1 / 3:.3f}|{names[0]:>6}|{names[0]:<6}|{0.5:.1%}")
text = "x" if total else "y"
print(text + names[0], -7 // 2, -7 % 3, 2 ** 10)
end = 3
while end > 0:
    end -= 1
    if end == 1:
        break
print("%d" % end)
empty = []
if not empty:
    print("empty")
if numbers and not names[1] == "ada":
    print("both")
empty.append(5)
print("%d %s" % (empty[0], "ok" if empty else "no"))
local = lambda x, y=2: x * y
print("%d" % local(4))
print("{} and {:.2f}".format(names[0], 2.5))
def pair():
    return 1, 2
one, two = pair()
print("%d" % (one + two * 10))
def outer():
    def inner():
        return later + 1
    later = 5
    return inner()
print("%d" % outer())
for i in range(3):
    value = i
print("%d" % value)
print("%d" % (1 if 3 > 2 and 2 > 1 or False else 0))
x = 5
x, y = 7, x
print("%d %d" % (x, y))
print(", ".join(names))
print(int(3.9), int(-3.9), int("12"), abs(-4), max(3, 8))
def both():
    return 3, 4
kept = both()
print("%d %d" % (kept[0], kept[1]))
def added(of):
    return of[0] + of[1]
print("%d" % added(both()))
def passed():
    return both()
three, four = passed()
print("%d %d" % (three, four))
first_list = second_list = []
first_list.append(7)
print("%d" % len(second_list))
steps_back = 2
print("%d %s %s %s" % (numbers[-steps_back], text[0], names[0][1], names[0][-1]))
print("%d %d" % (len(table), table.get("bob")))
print("-" * 5 + "=" * steps_back)
def pick(of, at):
    return of[at]
print("%d %d %s %d" % (pick(numbers, 0), pick(numbers, -1), pick("abc", 1), pick(table, "ada")))
def put(into, at):
    into[at] += 1
    return into[at]
print("%d" % put([1, 2, 3], 1))
for a, b in zip([1, 2], [3, 4]):
    total += a * b
print("%d" % total)
def equal(a, b):
    is_it = a == b
    return is_it
print("yes" if equal(1, 1) and not equal(1, 2) else "no")
generator = 5
print("%d" % generator)
n = 5
print("%d %d" % (sum([n * 2 for n in numbers]), n))
def inner(n):
    made = [lambda y: y + n for n in range(3)]
    return made[0](1) + n
print("%d" % inner(40))
