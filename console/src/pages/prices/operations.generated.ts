import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

export type LongPromptRatesInput = {
  inputTokens: number;
  rates: PriceRatesInput;
};

/** STORE: setPrice. FILE: the configuration file. PUBLISHED: the table of this version. */
export type PriceOrigin =
  | 'FILE'
  | 'PUBLISHED'
  | 'STORE';

/** USD for a million tokens of each class, or factors: from 0, at most 6 decimals. */
export type PriceRatesInput = {
  cacheRead?: number | string | null | undefined;
  cacheWrite?: number | string | null | undefined;
  cacheWrite1h?: number | string | null | undefined;
  input?: number | string | null | undefined;
  inputAudio?: number | string | null | undefined;
  inputImage?: number | string | null | undefined;
  output?: number | string | null | undefined;
  outputAudio?: number | string | null | undefined;
  outputImage?: number | string | null | undefined;
};

export type PriceUnitInput = {
  /** USD. */
  amount: number | string;
  /** The size, the quality or both, such as hd/1024x1024 or 720p. Absent: all. */
  kind?: string | null | undefined;
  unit: PricedUnit;
};

/** SECOND: of video. AUDIO_SECOND: of audio that is transcribed. CHARACTER: of a text that is spoken. */
export type PricedUnit =
  | 'AUDIO_SECOND'
  | 'CHARACTER'
  | 'IMAGE'
  | 'SECOND';

export type RemovePriceInput = {
  /** As it was set. */
  accountId?: string | null | undefined;
  /** The version that was read. Absent: any. */
  expectedVersion?: number | null | undefined;
  /** As it was set. */
  from?: string | null | undefined;
  model: string;
  /** As it was set. */
  provider?: string | null | undefined;
  /** For the audit record. */
  reason: string;
};

export type SetPriceInput = {
  /** Only this account. Absent: all. */
  accountId?: string | null | undefined;
  /** true: checks the input, and changes nothing. */
  dryRun?: boolean | null | undefined;
  /** The version that was read; 0: the price is new. Absent: any. */
  expectedVersion?: number | null | undefined;
  /** When it begins. Absent: at once, until one with a later time. */
  from?: string | null | undefined;
  /** true: calls cost nothing, and there is no other price. */
  isFree?: boolean | null | undefined;
  /** The own name that accounts have for it. It is also for names with a date behind it. */
  model: string;
  /** Other rates of long prompts. */
  over?: Array<LongPromptRatesInput> | null | undefined;
  /** Only accounts of this provider. Absent: all. */
  provider?: string | null | undefined;
  /** Absent: only units have a price. */
  rates?: PriceRatesInput | null | undefined;
  /** For the audit record. */
  reason?: string | null | undefined;
  /** USD for a web search. */
  search?: number | string | null | undefined;
  tiers?: Array<TierFactorInput> | null | undefined;
  /** The prices of images, of seconds of video and audio, and of characters. */
  units?: Array<PriceUnitInput> | null | undefined;
};

/** Either a factor or factors. */
export type TierFactorInput = {
  factor?: number | string | null | undefined;
  factors?: PriceRatesInput | null | undefined;
  tier: string;
};

export type PricesQueryVariables = Exact<{
  unpriced?: boolean | null | undefined;
  after?: string | null | undefined;
  from: string;
  to: string;
}>;


export type PricesQuery = { prices: { edges: Array<{ node: { id: string, model: string, provider: string | null, accountId: string | null, accountIds: Array<string>, origin: PriceOrigin | null, isFree: boolean, from: string | null, checkedAt: string | null, changedAt: string | null, changedBy: string | null, version: number | null, search: number | string | null, units: Array<{ unit: PricedUnit, kind: string | null, amount: number | string }>, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null, over: Array<{ inputTokens: number, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } }>, tiers: Array<{ tier: string, factor: number | string | null, factors: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, usage: { rows: Array<{ model: string | null, account: string | null, calls: number, retries: number, unpricedCalls: number }> } | null };

export type RatePartsFragment = { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null };

export type SetPriceMutationVariables = Exact<{
  input: SetPriceInput;
}>;


export type SetPriceMutation = { setPrice:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'SetPriceSuccess', warnings: Array<string> }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

type Refusal_Conflict_Fragment = { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null };

type Refusal_Invalid_Fragment = { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> };

type Refusal_ManagedByFile_Fragment = { __typename: 'ManagedByFile', fix: string, message: string };

type Refusal_NotFound_Fragment = { __typename: 'NotFound', message: string };

type Refusal_StoreUnavailable_Fragment = { __typename: 'StoreUnavailable', message: string };

export type RefusalFragment =
  | Refusal_Conflict_Fragment
  | Refusal_Invalid_Fragment
  | Refusal_ManagedByFile_Fragment
  | Refusal_NotFound_Fragment
  | Refusal_StoreUnavailable_Fragment
;

export type RemovePriceMutationVariables = Exact<{
  input: RemovePriceInput;
}>;


export type RemovePriceMutation = { removePrice:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'RemovePriceSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const Prices: Operation<PricesQuery, PricesQueryVariables> = { name: 'Prices', hash: '6b2c0c3d72a2420b7d480e32daf5a3782a88db200747c24f98f29b8cc22fce25' }

export const SetPrice: Operation<SetPriceMutation, SetPriceMutationVariables> = { name: 'SetPrice', hash: 'd5150616480d3fb9b2f60b3139dcfb1a0bfebcdab948399d3eb38947b0cc02c6' }

export const RemovePrice: Operation<RemovePriceMutation, RemovePriceMutationVariables> = { name: 'RemovePrice', hash: 'c059378dc18624d6c510b2eb67396fbcc2bbbdbeaf05ad1fd51a71ea696081f3' }
