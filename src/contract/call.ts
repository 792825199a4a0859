import type { ByteEdit } from '../lib/json/edit.ts'
import type { ByteRange } from '../lib/json/scan.ts'
import type { GatewayError } from './errors.ts'
import type { StoredResource } from './stored.ts'

/** The only facts that routing needs. */
export interface Call {
  /**
   * As the client wrote it; `''` for a call that names no model, which any account of the dialect
   * can serve. Further spellings, tried in order, where a path allows several.
   */
  readonly model: string
  readonly alternatives?: readonly string[]
  readonly stream: boolean
  /** Resources of earlier exchanges that this one depends on. */
  readonly refersTo: readonly Reference[]
  /** Pieces of earlier replies that the input names instead of telling them. */
  readonly itemReferences?: readonly ItemReference[]
  /**
   * What should lead to the account that served its like before, most telling first, as
   * `kind:value`. Preferences only.
   */
  readonly affinity?: readonly string[]
  /** Changes that a native request gets, as byte ranges over the original body, JSON or form. */
  readonly edits: readonly ByteEdit[]
  /**
   * Where the model's name stands in the body: in JSON with its quotes, in a form the content of its
   * part. Absent when it is in the path.
   */
  readonly modelAt?: ByteRange | undefined
  /** What stands before the name there. */
  readonly modelPrefix?: string
  /** What this call drops on its way, told to the client. */
  readonly losses: readonly Loss[]
  /** The account that alone can serve it, where that is known from what the call is about. */
  readonly pin?: Pin
  /** What asks for an answer that can only go back as the account tells it, and why. */
  readonly nativeOnly?: Loss
  /** The upstream work goes on when the client leaves, because it has been paid for. */
  readonly finishWithoutClient?: boolean
}

export interface Reference {
  readonly kind: string
  readonly id: string
  /**
   * `chain`: the new work continues the old, which is possible for an hour and with the same model.
   * `own`: the resource itself is asked for, by whoever owns it.
   */
  readonly use: 'chain' | 'own'
}

/** A piece of an earlier reply, and where the request names it. */
export interface ItemReference {
  readonly id: string
  readonly field: string
}

export interface Loss {
  readonly field: string
  readonly reason: string
  /** What the client can do instead of leaving it out. */
  readonly way?: string | undefined
}

export interface ResolvedModel {
  readonly requested: string
  /** The platform model, after aliases: what bindings and scopes use. */
  readonly name: string
}

/** A call that belongs to one account and to no other. */
export interface Pin {
  /** The account's id; it may be one that is not among the candidates. Absent: any will do. */
  readonly pinnedTo: string | undefined
  /** What the call refers to, where the gateway keeps it: any dialect of the account's will do. */
  readonly stored?: StoredResource
  readonly by: string
  /** The error where that account cannot serve the call, and why. */
  unavailable(reason: string): GatewayError
}

/** Why an account was not asked. */
export interface Exclusion {
  readonly account: string
  readonly by: string
  readonly reason: string
  readonly untilMs?: number
  /** The status of the upstream's answer that caused it. */
  readonly status?: number
  /** What the client asked for in its words, where the account cannot be asked for it. */
  readonly field?: string
}
