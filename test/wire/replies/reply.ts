import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { DialectName, ReadUsage } from '../../translate/clients/index.ts'

/** What a provider sends, byte for byte, and what each client must understand of it. */
export interface WireReply {
  readonly name: string
  /** An event stream. */
  readonly stream?: string
  /** A reply in one piece. */
  readonly body?: string
  readonly means: Meaning
  /** Where clients of one dialect understand something else. */
  readonly for?: Partial<Record<DialectName, Partial<Meaning>>>
}

export interface Meaning {
  readonly text?: string
  readonly thoughts?: string
  readonly calls?: readonly { readonly name: string; readonly input: JsonObject | string }[]
  /** The unified reason; each dialect has its own word for it. */
  readonly stop?: 'stop' | 'tool_calls' | 'length' | 'context' | 'filtered' | 'refused'
  readonly usage?: ReadUsage
  /** It fails instead, with this in its message. */
  readonly fails?: string
}

/** Replies of one provider. */
export interface Provider {
  readonly provider: string
  readonly speaks: DialectName
  readonly replies: readonly WireReply[]
}
