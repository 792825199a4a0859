/**
 * Rows of the contract as data: each is one field of a request with the sentence that limits it, and
 * `casesOf` derives the values to send and the verdict on each. No dialect is known here.
 */

/** A field of a request, as one sentence of the contract limits it. */
export interface FieldRow {
  /** The page, the section and the sentence. */
  readonly says: string
  /** The field as clients write it: `n`, `parameters.sampleCount`, `instances[0].prompt`. */
  readonly field: string
  readonly type: FieldType
  /** Whether it has to be present. Default: false. */
  readonly required?: boolean
  /** Whether an empty or blank text is refused. Default: false. */
  readonly notBlank?: boolean
  /** The only texts. */
  readonly words?: readonly string[]
  /** The least and the greatest number, or length of a text or list. */
  readonly min?: number
  readonly max?: number
  /** The character or item of which texts and lists consist. Default: `x`. */
  readonly unit?: unknown
  /** Further values. */
  readonly taken?: readonly unknown[]
  readonly refused?: readonly unknown[]
  /** Values inside a list or object, which an account of the client's dialect checks itself; others refuse them. */
  readonly refusedInTranslation?: readonly unknown[]
  /** Whether accounts of other dialects may lack the field: then a refusal that names it is right too. Default: false. */
  readonly mayLack?: boolean
  /** The envelope of refusals. Default: `general`. */
  readonly envelope?: 'general' | 'chaining'
  /** The field that a refusal names. Default: `field`. */
  readonly named?: string
  /** Fields that have to be so for this one to be taken. */
  readonly beside?: Readonly<Record<string, unknown>>
  /** Where it stands. Default: in JSON and in forms. */
  readonly encodings?: readonly Encoding[]
}

type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'

export type Encoding = 'json' | 'form'

/** One value of a field, and the contract's verdict on it. */
export interface Case {
  /** Of the value, such as `below min` or `wrong type: 7`. */
  readonly title: string
  /** `absent` for a field that is left out. */
  readonly value: unknown
  readonly verdict: Verdict
}

export type Verdict = 'taken' | 'refused' | 'refused in translation'

/** Stands for a field that is left out. */
export const absent = Symbol('absent')

const samples: Readonly<Record<FieldType, readonly unknown[]>> = {
  string: ['text'],
  integer: [7],
  number: [1.5],
  boolean: [true],
  object: [{}, { a: 1 }],
  array: [[], [1], ['text']],
}

/** The values at the limits of a row, of every other type, `null`, blank and absent. */
export function casesOf(row: FieldRow, encoding: Encoding): Case[] {
  const cases = [...absences(row), ...limits(row), ...words(row), ...further(row)]
  const odd = encoding === 'json' ? [...wrongTypes(row), ...blanks(row)] : wrongTexts(row)
  const all = [...cases, ...odd]
  return encoding === 'json' ? all : all.filter(({ value }) => isExpressible(value))
}

function isExpressible(value: unknown): boolean {
  return value !== null && (typeof value !== 'object' || value instanceof Blob)
}

/** SDKs send `null` for options that are not set, so that it counts as absent. */
function absences({ required = false }: FieldRow): Case[] {
  const verdict = required ? 'refused' : 'taken'
  return [
    { title: 'absent', value: absent, verdict },
    { title: 'null', value: null, verdict },
  ]
}

function limits(row: FieldRow): Case[] {
  const { min, max } = row
  const step = row.type === 'number' ? 0.001 : 1
  return [
    ...(min === undefined
      ? []
      : [at('min', row, min, 'taken'), at('below min', row, min - step, 'refused')]),
    ...(max === undefined
      ? []
      : [at('max', row, max, 'taken'), at('above max', row, max + step, 'refused')]),
  ].filter((one) => one !== undefined)
}

function at(title: string, row: FieldRow, size: number, verdict: Verdict): Case | undefined {
  const { type, unit = 'x' } = row
  if (type === 'integer' || type === 'number') return { title, value: size, verdict }
  if (size < 0) return undefined
  if (type === 'string') return { title, value: String(unit).repeat(size), verdict }
  return { title, value: Array.from({ length: size }, () => unit), verdict }
}

function words({ words: known }: FieldRow): Case[] {
  if (!known) return []
  const refused = ['other', `${known[0]} `, String(known[0]).toUpperCase()]
  return [
    ...known.map((value) => ({ title: `word ${value}`, value, verdict: 'taken' as const })),
    ...refused
      .filter((value) => !known.includes(value))
      .map((value) => ({ title: `no word: ${value}`, value, verdict: 'refused' as const })),
  ]
}

function further({ taken = [], refused = [], refusedInTranslation = [] }: FieldRow): Case[] {
  const of = (verdict: Verdict) => (value: unknown) => ({ title: show(value), value, verdict })
  return [
    ...taken.map(of('taken')),
    ...refused.map(of('refused')),
    ...refusedInTranslation.map(of('refused in translation')),
  ]
}

function wrongTypes({ type, taken = [], refusedInTranslation = [] }: FieldRow): Case[] {
  const judged = [...taken, ...refusedInTranslation]
  const own = type === 'number' ? ['number', 'integer'] : [type]
  const others = Object.entries(samples).filter(([name]) => !own.includes(name))
  const fraction = type === 'integer' ? ['7', 1e300] : []
  return [...others.flatMap(([, values]) => values), ...fraction]
    .filter((value) => !judged.some((one) => JSON.stringify(one) === JSON.stringify(value)))
    .map((value) => ({ title: `wrong type: ${show(value)}`, value, verdict: 'refused' }))
}

/** A form has texts only. */
function wrongTexts({ type }: FieldRow): Case[] {
  const texts = { integer: ['x', '1.5', '1e1', '0x1'], number: ['x'], boolean: ['yes', '1'] }
  const wrong: readonly string[] = texts[type as keyof typeof texts] ?? []
  return wrong.map((value) => ({ title: `wrong text: ${value}`, value, verdict: 'refused' }))
}

function blanks({ type, notBlank = false, words: known }: FieldRow): Case[] {
  if (type !== 'string' || (!notBlank && !known)) return []
  return ['', ' ', '\t\n'].map((value) => ({
    title: `blank: ${JSON.stringify(value)}`,
    value,
    verdict: 'refused',
  }))
}

function show(value: unknown): string {
  const text = value instanceof Blob ? `a file of ${value.size} bytes` : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}
