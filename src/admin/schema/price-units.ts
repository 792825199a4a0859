import type { UnitsSetting } from '../../contract/prices.ts'
import type { Problem } from '../../contract/problems.ts'
import { defined } from '../../lib/json/object.ts'
import type { AdminBuilder } from '../builder.ts'

type Decimal = string | number

/** The price of an image or a second of video, of one kind or of all. */
interface PriceUnit {
  readonly unit: 'image' | 'second'
  readonly kind?: string | null | undefined
  readonly amount: Decimal
}

const units = { IMAGE: { value: 'image' }, SECOND: { value: 'second' } } as const

const kindText = 'The size, the quality or both, such as hd/1024x1024 or 720p.'

/** Adds the types of the prices of images and videos. */
export function addPriceUnits(builder: AdminBuilder) {
  const pricedUnit = builder.enumType('PricedUnit', {
    values: units,
    description: 'SECOND: of video.',
  })
  return {
    unit: builder.objectRef<PriceUnit>('PriceUnit').implement({
      description: 'The price of an image, or of a second of video.',
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

/** The prices of images and videos as a list. */
export function listUnits(setting: UnitsSetting): PriceUnit[] {
  return (['image', 'second'] as const).flatMap((unit): PriceUnit[] => {
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
  const setting = defined({ search, image: priceOf('image'), second: priceOf('second') })
  return Object.keys(setting).length === 0 ? undefined : setting
}

/** Reports units of a list that others contradict. */
export function unitProblems(list: readonly PriceUnit[]): Problem[] {
  return list.flatMap(({ unit, kind }, index) => {
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
