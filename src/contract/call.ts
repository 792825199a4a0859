import type { FallbackKind, ReplyModel, Strategy } from './account.ts'
import type { ByteEdit } from '../lib/json/edit.ts'
import type { ByteRange } from '../lib/json/scan.ts'
import type { GatewayError } from './errors.ts'
import type { NamedData, StoredData } from './stored-data.ts'
import type { Relocation, Renamed } from './relocation.ts'
import type { StoredResource } from './stored.ts'

/** The facts of a request that routing needs. */
export interface Call {
  /**
   * The model's name as the client wrote it. `''`: the call names no model, and any account of the
   * dialect can serve it.
   */
  readonly model: string
  /** The ids of the accounts that may serve the call, in any of their dialects; `model` is then `''`. Always the same list. */
  readonly among?: readonly string[]
  /** Models beside `model` that the account shall use. It gets their names as they are. */
  readonly otherModels?: readonly OtherModel[]
  /** Further readings of the name, tried in order, for paths that allow several. */
  readonly alternatives?: readonly string[]
  /** Whether the client requests a stream. */
  readonly stream: boolean
  /** Resources of earlier exchanges that this call depends on. */
  readonly refersTo: readonly Reference[]
  /** Data of earlier replies that the request names by its ids, besides `refersTo`. */
  readonly names?: readonly NamedData[]
  /** The kind of data as which later calls may name the reply, by its id. Absent: no later call may. */
  readonly replyNamedAs?: StoredData['kind']
  /**
   * Affinity keys as `kind:value`, the strongest first. Routing prefers the account that served an
   * earlier call with the same key.
   */
  readonly affinity?: readonly string[]
  /** Changes to the body of a native request, as byte ranges of the original body, JSON or form. */
  readonly edits: readonly ByteEdit[]
  /**
   * The position of the model's name in the body: in JSON the string with its quotes, in a form the
   * content of the part. Absent: the name is in the path.
   */
  readonly modelAt?: ByteRange | undefined
  /** A prefix that the name carries at that position, such as `models/`. */
  readonly modelPrefix?: string
  /** Fields that the gateway drops; the client learns of them by `x-dragoman-losses`. */
  readonly losses: readonly Loss[]
  /** The only account that can serve the call, if the referenced resource determines it. */
  readonly pin?: Pin
  /** The field that only a native account can serve, and why. */
  readonly nativeOnly?: Loss
  /** Whether the upstream work continues after the client has left, because it is billed anyway. */
  readonly finishWithoutClient?: boolean
  /** The work that the call orders, where its body does not say it: a batch names a file. */
  readonly work?: NamedWork
}

/** The requests of a batch, as far as limits and keys depend on them. */
export interface NamedWork {
  /** The models by the names that clients wrote, each with the number of the first line that names it. */
  readonly models: readonly {
    readonly name: string
    /** The platform model, after aliases. */
    readonly model: string
    readonly line: number
  }[]
  /** Whether the requests are for several platform models, so that no single price holds. Absent: for one. */
  readonly isMixed?: boolean
  /** The models that requests name in other fields, as stand-ins or for a tool. Absent: none. */
  readonly others?: readonly string[]
  readonly requests: number
  /** An estimate of the tokens of all prompts. */
  readonly inputTokens: number
  /** An estimate of the tokens of the longest prompt. */
  readonly longestPrompt: number
  /** The most tokens of the replies with a bound of their own. */
  readonly outputTokens: number
  /** The number of replies without such a bound. */
  readonly unbounded: number
}

/** A model that a request names in another field than its `model`. */
export interface OtherModel {
  readonly name: string
  /** The path of the field. */
  readonly field: string
}

/** A resource of an earlier exchange that a call names. */
export interface Reference {
  readonly kind: string
  readonly id: string
  /**
   * `chain`: the call continues the resource, which is possible for an hour and with the same model
   * (docs/wire/contract.md 4). `own`: the call reads, changes or deletes the resource.
   */
  readonly use: 'chain' | 'own'
  /** The position of the id in a JSON body: the string with its quotes. Absent: it is in the path. */
  readonly at?: ByteRange
}

/** A field that the gateway drops or changes on the way to an account or back. */
export interface Loss {
  /** The field, as the client names it. */
  readonly field: string
  readonly reason: string
  /** An alternative for the client other than to omit the field. */
  readonly way?: string | undefined
}

/** A model's name, before and after aliases. */
export interface ResolvedModel {
  /** The name as the client wrote it. */
  readonly requested: string
  /** The platform model, after aliases. Bindings and the scopes of API keys use this name. */
  readonly name: string
  /** The `replyModel` of its alias. Absent: the account's. */
  readonly replyModel?: ReplyModel
  /** Absent: weights decide among accounts of the same rank and priority. */
  readonly strategy?: Strategy
  /** The models that may stand in, in their order. Absent: there are none. */
  readonly fallbacks?: readonly Fallback[]
}

/** A model that stands in for another one after failures of some kinds. */
export interface Fallback {
  readonly on: readonly FallbackKind[]
  readonly model: Omit<ResolvedModel, 'requested' | 'fallbacks'>
}

/** A model that a call has left for another one. Both are platform models. */
export interface LeftModel {
  readonly model: string
  /** The model that stands in. */
  readonly next: string
  readonly on: FallbackKind
  /** The code of the error that the client would have got. */
  readonly error: string
  /** The accounts that could not be asked for it. */
  readonly excluded: readonly Exclusion[]
}

/** The account that alone can serve a call. */
export interface Pin {
  /** The account's id, which need not be among the candidates. Absent: any account. */
  readonly pinnedTo: string | undefined
  /** The referenced resource, if the gateway stores it: then any dialect of the account can serve it. */
  readonly stored?: StoredResource
  /** The platform model that made the resource, if the call continues with it: a fallback of its own, or its model. */
  readonly continues?: string
  /** Set if the resource's account knows it by another id. */
  readonly renamed?: Renamed
  /** Set if the resource moves to the account of the call, which must speak its dialect. */
  readonly relocation?: Relocation
  /** The rule that pins the call. */
  readonly by: string
  /** Returns the error for the case that the account cannot serve the call. */
  unavailable(reason: string): GatewayError
}

/** The kind of evidence that excludes an account. */
export type ExclusionKind = 'circuit' | 'refused' | 'cooling' | 'other'

/** Why an account cannot serve a call. */
export interface Exclusion {
  /** The account's id. */
  readonly account: string
  /** The rule that excludes it. */
  readonly by: string
  readonly reason: string
  /** `refused`: the upstream refuses it. `cooling`: it has asked for a pause. Absent: a rule of the plugin `by`. */
  readonly kind?: ExclusionKind
  /** When the exclusion ends, in milliseconds since 1970. */
  readonly untilMs?: number
  /** The status of the upstream's reply that caused the exclusion; 429 for an account at its limit. */
  readonly status?: number
  /** The request field that the account does not support, as the client names it. */
  readonly field?: string
}

/** Why an account gets no calls, or no calls of one dialect, model or key. For operators. */
export interface AccountExclusion extends Exclusion {
  readonly kind: ExclusionKind
  /** The id of the only dialect concerned. */
  readonly dialect?: string
  /** The only model concerned, by the account's name. */
  readonly model?: string
  /** The id of the only key concerned. */
  readonly keyId?: string
  /** Whether one call at a time probes the account. */
  readonly isProbing?: boolean
  /** Whether it keeps out only some of these calls: those with images or files, or with directives to a sandbox. */
  readonly isPartial?: boolean
  /** The last calls whose failures are the cause of an open circuit, the newest first. */
  readonly failures?: readonly CircuitFailure[]
}

/** A failed call behind an open circuit. */
export interface CircuitFailure {
  /** When it failed, in milliseconds since 1970. */
  readonly atMs: number
  /** A verb phrase about the call: `answered 500`. */
  readonly cause: string
  /** The value of `x-request-id`. */
  readonly exchangeId: string
}
