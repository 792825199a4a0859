import * as fc from 'fast-check'

/**
 * JSON as texts, in all the ways in which the same value can be written: numbers that no double
 * holds, needless escapes, keys that stand twice, white space wherever it may stand.
 */

const space = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.stringMatching(/^[ \t\r\n]{1,3}$/) },
)

const piece = fc.oneof(
  fc.stringMatching(/^[a-z{}[\]:, ]{0,8}$/),
  fc.constantFrom('é', '漢', '😀', '\u2028', '\u007f', "'", '/'),
  fc.constantFrom(
    '\\"',
    '\\\\',
    '\\/',
    '\\b',
    '\\n',
    '\\t',
    '\\u0041',
    '\\u00E9',
    '\\ud83d\\ude00',
  ),
  // Half a character, which JSON allows and UTF-8 does not; and a nothing.
  fc.constantFrom('\\ud800', '\\u0000'),
  // Words that mean something where they stand alone.
  fc.constantFrom('[DONE]', 'data: ', 'message_stop', 'response.completed', '\\"error\\"', 'usage'),
  // Long enough for a native search, with escapes around its end.
  fc.integer({ min: 20, max: 30 }).map((length) => `${'x'.repeat(length)}\\\\\\"y`),
)

export const stringText = fc.array(piece, { maxLength: 6 }).map((pieces) => `"${pieces.join('')}"`)

export const numberText = fc.oneof(
  fc.constantFrom('0', '-0', '1.0', '1.0e5', '1E+2', '-1.5e-10', '0.10', '1e400', '0e0'),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)

const keyText = fc.oneof(
  stringText,
  fc.constantFrom('"a"', '"b"', '"model"', '"stream"', '"__proto__"', '"type"', '"m\\u006fdel"'),
)

const { value } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('true', 'false', 'null'),
    numberText,
    stringText,
    tie('array'),
    tie('object'),
  ),
  array: fc
    .array(fc.tuple(space, tie('value'), space), { maxLength: 4 })
    .map((elements) => `[${elements.map((element) => element.join('')).join(',')}]`),
  object: fc
    .array(fc.tuple(space, keyText, space, space, tie('value'), space), { maxLength: 4 })
    .map((members) => `{${members.map(memberText).join(',')}}`),
}))

function memberText([s1, key, s2, s3, value, s4]: readonly string[]): string {
  return `${s1}${key}${s2}:${s3}${value}${s4}`
}

export const valueText: fc.Arbitrary<string> = value

export interface TextMember {
  /** As it is written, quotes included. */
  readonly key: string
  readonly value: string
  /** White space around key and value. */
  readonly spaces: readonly string[]
}

const around = fc.tuple(space, space, space, space)

export function member(
  key: fc.Arbitrary<string>,
  value: fc.Arbitrary<string>,
): fc.Arbitrary<TextMember> {
  return fc.record({ key, value, spaces: around })
}

/** Members whose names are none of `taken`. */
export function otherMembers(taken: readonly string[]): fc.Arbitrary<TextMember[]> {
  const key = keyText.filter((text) => !taken.includes(JSON.parse(text) as string))
  return fc.array(member(key, valueText), { maxLength: 5 })
}

export function objectText(members: readonly TextMember[]): string {
  const texts = members.map(({ key, value, spaces: [s1 = '', s2 = '', s3 = '', s4 = ''] }) =>
    memberText([s1, key, s2, s3, value, s4]),
  )
  return `{${texts.join(',')}}`
}

/** An object with these members, in any order, and others between them. */
export function objectWith(
  members: readonly fc.Arbitrary<TextMember>[],
  taken: readonly string[],
): fc.Arbitrary<string> {
  return fc
    .tuple(fc.tuple(...members), otherMembers(taken), fc.infiniteStream(fc.nat()), space, space)
    .map(([own, others, order, before, after]) => {
      const all = [...own, ...others].map((one) => ({ one, at: order.next().value as number }))
      const shuffled = all.sort((left, right) => left.at - right.at).map(({ one }) => one)
      return before + objectText(shuffled) + after
    })
}

/** Bytes in pieces, cut anywhere. */
export function cutAnywhere(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  const ends = [...places, bytes.length]
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).filter((p) => p.length)
}

export const anyCuts = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 12 })
