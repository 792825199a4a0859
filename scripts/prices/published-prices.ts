import { type ModelInfo, type ModelPrice, calcPrice, findProvider } from '@pydantic/genai-prices'

import type {
  PriceSetting,
  RatesSetting,
  TokenClass,
  UnitsSetting,
} from '../../src/contract/prices.ts'
import type { GeneratedFile } from '../configuration/files.ts'
import overlay from './overlay.json' with { type: 'json' }

// The table of published prices that the package carries: rates from `@pydantic/genai-prices`, service tiers, the searches of
// Gemini, units of sound and video, and what is free from `overlay.json`, which is kept by hand. At Azure and Vertex AI the
// prices of vendors count too (`src/accounts/prices.ts`).

/** The providers of the table, as `provider` of an account names them, with their names in `genai-prices`. */
const providers = {
  openai: 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
  azure: 'azure',
  bedrock: 'aws',
} as const

/** Other words of replies for a tier: `trafficType` of Gemini (`TrafficType` of `@google/genai`). */
const otherWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gemini: { flex: 'on_demand_flex', priority: 'on_demand_priority' },
}

const classes: Readonly<Record<string, TokenClass>> = {
  input_mtok: 'input',
  output_mtok: 'output',
  cache_read_mtok: 'cacheRead',
  cache_write_mtok: 'cacheWrite',
  cache_write_1h_mtok: 'cacheWrite1h',
  input_audio_mtok: 'inputAudio',
  input_image_mtok: 'inputImage',
  output_audio_mtok: 'outputAudio',
  output_image_mtok: 'outputImage',
}

/** Units that calls have beside their tokens. A model with other units is left out: its tokens are not its cost. */
const besideTokens: ReadonlySet<string> = new Set([
  'cache_audio_read_mtok',
  'cache_image_read_mtok',
  'storage_searches_kcount',
  'web_searches_kcount',
])

/** The file with the table. */
export function pricesFile(): GeneratedFile {
  const table = {
    version: overlay.checked,
    providers: Object.fromEntries(
      (Object.keys(providers) as (keyof typeof providers)[]).map((id) => [id, pricesOf(id)]),
    ),
  }
  return {
    path: 'src/accounts/prices.generated.json',
    text: `${JSON.stringify(table, null, 1)}\n`,
  }
}

function pricesOf(provider: keyof typeof providers): Record<string, PriceSetting> {
  const providerId = providers[provider]
  const { models } = findProvider({ providerId })!
  const prices = models.flatMap((model) => {
    const price = priceOf(model)
    const names = providerId === 'aws' ? namesAtAws(model) : namesOf(model, providerId)
    return price ? names.map((name) => [name, price] as const) : []
  })
  const table = Object.fromEntries(prices.toSorted(byName))
  const { tiers, units: ownUnits }: Overlay = overlay
  for (const { tier, factor, models: names } of tiers[provider] ?? []) {
    for (const name of names) {
      const price = table[name]
      const word = otherWords[provider]?.[tier]
      const tiers = { [tier]: factor, ...(word !== undefined && { [word]: factor }) }
      if (price) table[name] = { ...price, tiers: { ...price.tiers, ...tiers } }
    }
  }
  for (const { units, rates, models: names } of ownUnits[provider] ?? []) {
    for (const name of names)
      table[name] = withUnits(table[name] ?? { ...(rates && { rates }) }, units)
  }
  return Object.fromEntries(Object.entries(table).toSorted(byName))
}

interface Overlay {
  readonly tiers: Readonly<Record<string, readonly Tier[] | undefined>>
  readonly units: Readonly<Record<string, readonly OwnUnits[] | undefined>>
}

interface Tier {
  readonly tier: string
  readonly factor: NonNullable<PriceSetting['tiers']>[string]
  readonly models: readonly string[]
}

interface OwnUnits {
  readonly units?: UnitsSetting
  /** Of models that the other table lacks. */
  readonly rates?: RatesSetting
  readonly models: readonly string[]
}

/** Changes that are announced concern the rates alone. */
function withUnits(price: PriceSetting, units: UnitsSetting | undefined): PriceSetting {
  if (!units) return price
  const { later, ...current } = price
  const changes = later?.map((one) => ({ ...one, units: { ...one.units, ...units } }))
  return {
    ...current,
    units: { ...current.units, ...units },
    ...(changes && { later: changes }),
  }
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

/** The exact names of a model. Beginnings that stand for many names are not among them, but for the name alone. */
function namesOf({ id, match }: ModelInfo, providerId: string): string[] {
  const names = new Set([id])
  const rules = 'or' in match ? match.or : [match]
  for (const rule of rules) {
    if ('equals' in rule) names.add(rule.equals)
    if ('starts_with' in rule && !rule.starts_with.endsWith('-')) names.add(rule.starts_with)
  }
  // Some ids stand for a family, and are no name themselves.
  return [...names].filter((name) => calcPrice({}, name, { providerId })?.model.id === id)
}

/**
 * The id of a model without its version, as `src/accounts/prices.ts` looks it up. `regional` stands for a profile of any
 * geography, and for the model without one.
 */
function namesAtAws({ id }: ModelInfo): string[] {
  const name = id.replace(/^regional\./, '').replace(/(?:-v\d+)?(?::\d+)?$/, '')
  const isKnown = [id, name, `us.${name}`, `us.${name}-v1:0`].some(
    (one) => calcPrice({}, one, { providerId: 'aws' })?.model.id === id,
  )
  return isKnown ? [name] : []
}

/** The price of a model, and its announced changes; `undefined` for one with units that the gateway does not count. */
function priceOf({ prices }: ModelInfo): PriceSetting | undefined {
  if (!Array.isArray(prices)) return countedPrice(prices)
  const dated = prices.map(({ constraint, prices: one }) => {
    const price = countedPrice(one)
    if (!price || constraint?.type === 'time_of_date') return undefined
    return { from: constraint?.start_date ?? '', ...price }
  })
  if (dated.some((one) => one === undefined)) return undefined
  const known = dated.filter((one) => one !== undefined)
  const { from: _, ...current } = known.findLast(({ from }) => from <= overlay.checked)!
  const later = known.filter(({ from }) => from > overlay.checked)
  return { ...current, ...(later.length > 0 && { later }) }
}

function countedPrice(price: ModelPrice): PriceSetting | undefined {
  const all = Object.entries(price).filter(([, value]) => value !== undefined)
  if (all.some(([unit]) => !(unit in classes) && !besideTokens.has(unit))) return undefined
  const starts = new Set(
    all.flatMap(([, one]) => (typeof one === 'object' ? one.tiers.map(({ start }) => start) : [])),
  )
  const rates = ratesFrom(price, 0)
  if (rates.input === undefined) return undefined
  const over = [...starts].map((inputTokens) => ({
    inputTokens,
    rates: ratesFrom(price, inputTokens),
  }))
  const thousandSearches = price['web_searches_kcount']
  const units =
    typeof thousandSearches === 'number' ? { search: decimal(thousandSearches / 1_000) } : undefined
  return { rates, ...(over.length > 0 && { over }), ...(units && { units }) }
}

/** The rates for prompts above a number of tokens. */
function ratesFrom(price: ModelPrice, above: number): RatesSetting {
  const rates = Object.entries(price).flatMap(([unit, value]) => {
    const name = classes[unit]
    if (!name || value === undefined) return []
    const rate =
      typeof value === 'number'
        ? value
        : (value.tiers.findLast(({ start }) => start <= above)?.price ?? value.base)
    return [[name, decimal(rate)] as const]
  })
  const known: RatesSetting = Object.fromEntries(rates)
  // Where a provider has no rate for pictures and sound in a prompt, their tokens cost as much as text.
  const { input } = known
  return input === undefined ? known : { inputAudio: input, inputImage: input, ...known }
}

/** Rates are floating-point numbers there: 0.05500000000000001 is 0.055. */
function decimal(rate: number): string {
  return rate.toFixed(6).replace(/\.?0+$/, '')
}
