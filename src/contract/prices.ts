/** USD for a million tokens: a decimal number, or its text. */
type RateSetting = number | string

/**
 * The rates of the classes of tokens. No token is in two classes: `input` is the rest of the prompt, and `output`
 * the rest of the reply.
 */
export interface RatesSetting {
  readonly input?: RateSetting | undefined
  readonly output?: RateSetting | undefined
  readonly cacheRead?: RateSetting | undefined
  readonly cacheWrite?: RateSetting | undefined
  /** Writes to a cache that keeps them for an hour. */
  readonly cacheWrite1h?: RateSetting | undefined
  readonly inputAudio?: RateSetting | undefined
  readonly inputImage?: RateSetting | undefined
  readonly outputAudio?: RateSetting | undefined
  readonly outputImage?: RateSetting | undefined
}

/** A class of tokens with a rate of its own. */
export type TokenClass = keyof RatesSetting

/** USD for one unit, or for one of each kind. */
type UnitSetting = RateSetting | Readonly<Record<string, RateSetting>>

/** USD for one unit of work that is counted beside the tokens, or in their place. */
export interface UnitsSetting {
  /** A web search, or a unit of a search that ranks documents. */
  readonly search?: RateSetting | undefined
  /** An image, by its size, its quality, or both as `hd/1024x1024`. */
  readonly image?: UnitSetting | undefined
  /** A second of video, by its size or its resolution, such as `720p`. */
  readonly second?: UnitSetting | undefined
  /** A second of audio that is transcribed or translated. */
  readonly audioSecond?: RateSetting | undefined
  /** A character of a text that is spoken. */
  readonly character?: RateSetting | undefined
}

/** The rates of a model at one time. */
export interface DatedRates {
  /** Absent: only units have a price. */
  readonly rates?: RatesSetting | undefined
  /** Other rates of a call whose prompt has more tokens than this. */
  readonly over?:
    | readonly { readonly inputTokens: number; readonly rates: RatesSetting }[]
    | undefined
  readonly units?: UnitsSetting | undefined
  /** The factor of each service tier besides the standard one: one for all classes, or one for each class. */
  readonly tiers?:
    | Readonly<Record<string, RateSetting | Readonly<Record<string, RateSetting>>>>
    | undefined
}

/** The price of a model. */
export interface PriceSetting extends DatedRates {
  /** Changes that are known in advance: `from` is the first day, as `2027-01-31` in UTC. */
  readonly later?: readonly (DatedRates & { readonly from: string })[] | undefined
}

/** A price that an operator has set. It goes before prices of the configuration of the same scope. */
export interface StoredPrice extends DatedRates {
  /** Whether calls of the model cost nothing: then there are no rates. */
  readonly isFree?: true | undefined
  /** The own name that accounts have for the model. */
  readonly model: string
  /** Only accounts of this provider. */
  readonly provider?: string | undefined
  /** Only this account. */
  readonly accountId?: string | undefined
  /** When it begins, in milliseconds since 1970. Absent: always, until a later one of its scope. */
  readonly from?: number | undefined
}

/** Prices by the names that accounts have for their models. */
export type PriceSettings = Readonly<Record<string, PriceSetting>>

/** Rates in pico-dollars for a token. */
export type Rates = ReadonlyMap<TokenClass, bigint>

/** A factor of rates in millionths: one for all classes, or one for each class. */
type Factor = bigint | Rates

/** The rates of a model at one time, compiled. */
export interface RatesInForce {
  /** Where they are from and which they are, for the ledger: `published 2026-11-29`, `file 1f0c9a2b`. */
  readonly version: string
  /** Calls cost nothing, whatever they use. */
  readonly isFree?: true | undefined
  readonly rates: Rates
  /** The rates of prompts beyond a size, the greatest size first. */
  readonly over: readonly { readonly inputTokens: number; readonly rates: Rates }[]
  /** Pico-dollars for one unit, or for one of each kind. No tier changes them. */
  readonly units: ReadonlyMap<keyof UnitsSetting, bigint | ReadonlyMap<string, bigint>>
  readonly tiers: ReadonlyMap<string, Factor>
}

/** The price of a model, compiled. */
export interface Price extends RatesInForce {
  /** Changes, the latest first. `from` is in milliseconds since the epoch. Absent: none. */
  readonly later?: readonly (RatesInForce & { readonly from: number })[]
}

/** The prices of an account's models by its names for them; `free`: its tokens cost nothing. */
export type AccountPrices = ReadonlyMap<string, Price> | 'free'
