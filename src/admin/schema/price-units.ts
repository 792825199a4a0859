import type { UnitsSetting } from '../../contract/prices.ts'
import type { Problem } from '../../contract/problems.ts'
import { defined } from '../../lib/json/object.ts'
import type { AdminBuilder } from '../builder.ts'

type Decimal = string | number

/** The price of a unit, of one kind or of all. */
interface PriceUnit {
  readonly unit: (typeof units)[keyof typeof units]['value']
  readonly kind?: string | null | undefined
  readonly amount: Decimal
}

const units = {
  IMAGE: { value: 'image' },
  SECOND: { value: 'second' },
  AUDIO_SECOND: { value: 'audioSecond' },
  CHARACTER: { value: 'character' },
} as const

const kindText = 'The size, the quality or both, such as hd/1024x1024 or 720p.'

/** Adds the types of the prices of units. */
export function addPriceUnits(builder: AdminBuilder) {
  const pricedUnit = builder.enumType('PricedUnit', {
    values: units,
    description:
      'SECOND: of video. AUDIO_SECOND: of audio that is transcribed. CHARACTER: of a text that is spoken.',
  })
  return {
    unit: builder.objectRef<PriceUnit>('PriceUnit').implement({
      description:
        'The price of an image, of a second of video or audio, or of a character of speech.',
      authScopes: { viewer: true },
      fields: (t) => ({
        unit: t.field({ type: pricedUnit, resolve: (one) => one.unit }),
        kind: t.string({
          nullable: true,
          description: `${kindText} null: all.`,
          resolve: (one) => one.kind,
        }),
        amount: t.field({
          type: 'Amount',
          description: 'USD.',
          resolve: (one) => String(one.amount),
        }),
      }),
    }),
    unitInput: builder.inputType('PriceUnitInput', {
      fields: (t) => ({
        unit: t.field({ type: pricedUnit, required: true }),
        kind: t.string({ description: `${kindText} Absent: all.` }),
        amount: t.field({ type: 'Amount', required: true, description: 'USD.' }),
      }),
    }),
  }
}

/** The prices of units as a list. */
export function listUnits(setting: UnitsSetting): PriceUnit[] {
  return Object.values(units).flatMap(({ value: unit }): PriceUnit[] => {
    const price = setting[unit]
    if (price === undefined) return []
    if (typeof price !== 'object') return [{ unit, amount: price }]
    return Object.entries(price).map(([kind, amount]) => ({ unit, kind, amount }))
  })
}

/** The setting that a list stands for; `undefined` for an empty one. */
export function settingOfUnits(
  list: readonly PriceUnit[],
  search: Decimal | undefined,
): UnitsSetting | undefined {
  const priceOf = (wanted: PriceUnit['unit']) => {
    const all = list.filter(({ unit }) => unit === wanted)
    const ofAll = all.find(({ kind }) => typeof kind !== 'string')
    if (ofAll || all.length === 0) return ofAll?.amount
    return Object.fromEntries(all.map(({ kind, amount }) => [kind, amount]))
  }
  // Audio has no kinds.
  const plain = (wanted: PriceUnit['unit']) => list.find(({ unit }) => unit === wanted)?.amount
  const setting = defined({
    search,
    image: priceOf('image'),
    second: priceOf('second'),
    audioSecond: plain('audioSecond'),
    character: plain('character'),
  })
  return Object.keys(setting).length === 0 ? undefined : setting
}

/** Units of one kind. */
const kindless: ReadonlySet<PriceUnit['unit']> = new Set(['audioSecond', 'character'])

/** Reports units of a list that others contradict, or that have a kind although their unit has none. */
export function unitProblems(list: readonly PriceUnit[]): Problem[] {
  return list.flatMap(({ unit, kind }, index): Problem[] => {
    if (typeof kind === 'string' && kindless.has(unit)) {
      return [
        {
          path: `input.units[${index}].kind`,
          message: 'is a kind of a unit that has none',
          fix: 'leave it out',
        },
      ]
    }
    const same = list.findIndex(
      (one) => one.unit === unit && (one.kind ?? kind) === (kind ?? one.kind),
    )
    if (same === index) return []
    return [
      {
        path: `input.units[${index}]`,
        message: `is a second price of what input.units[${same}] is for`,
        fix: 'give each kind one price, or all kinds one',
      },
    ]
  })
}
