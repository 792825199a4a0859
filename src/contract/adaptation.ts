import type { FrameJoiner } from './framing.ts'
import type { JsonObject } from '../lib/json/object.ts'

/** A request to an account as its dialect has it. */
export interface AdaptedRequest {
  readonly method: string
  /** The full path, with the version: `/v1/messages`. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string | undefined
  /** The account's name of the model; empty for a request about none. */
  readonly model: string
  readonly stream: boolean
  /** The client's headers that the account gets, and the headers of the account's setting. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** What an adaptation may depend on. An `Account` is one. */
export interface AdaptedAccount {
  readonly provider: string
  /** As `Account.options`. */
  readonly options?: Readonly<Record<string, unknown>>
  /** As `Account.headers`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A request of a dialect, as a provider has it. */
export interface AdaptedTarget {
  readonly path: string
  readonly query?: string | undefined
  /** Absent: the dialect's own. */
  readonly method?: string
  /** The whole JSON body, in place of the dialect's. */
  readonly json?: Readonly<Record<string, unknown>>
  /** `true`: the path stands at the account's own root, where the dialect has another root. */
  readonly atOwnRoot?: boolean
  /** As `Upstream.encodesSlashes`. */
  readonly encodesSlashes?: boolean
  /** What the reply is to be, in place of the dialect's own type of streams. */
  readonly accept?: string
  /** Absent: `Adaptation.dropHeaders`. */
  readonly dropHeaders?: readonly string[]
}

/** Streams whose media type differs from the dialect's own. */
interface AdaptedStreams {
  readonly mediaType: string
  /** Joins the chunks of one stream into frames of the dialect's own framing. */
  join(): FrameJoiner
}

/** How requests of a dialect to accounts of a provider differ. Accounts without such differences pay nothing for them. */
export interface Adaptation {
  /**
   * Another path, which stands behind the root as it is, its query, and where that differs method and body.
   * `undefined`: the provider has no such request. Absent: the dialect's own.
   */
  target?(request: AdaptedRequest, account: AdaptedAccount): AdaptedTarget | undefined
  /** Changes of a JSON body. A function decides for each request. Absent: there are none. */
  readonly body?:
    | BodyChanges
    | ((request: AdaptedRequest, account: AdaptedAccount) => BodyChanges | undefined)
  /** Headers of the dialect that the provider does not take, in lower case. */
  readonly dropHeaders?: readonly string[]
  /** How streams carry the events of the dialect that are none of its own form. Absent: there are none. */
  readonly streams?: AdaptedStreams
  /** A JSON reply as the dialect has it. `undefined`: it is one already. Absent: each is one. */
  reply?(json: JsonObject): JsonObject | undefined
}

/** Changes of a JSON body: of the members at its top, and of the turns in its `messages`. */
export interface BodyChanges {
  /** Members without which the request would mean something else, with the reason: another account has to serve it. */
  readonly refuse?: Readonly<Record<string, string>>
  /** Members that the provider refuses, with the reason, which clients read as a loss. */
  readonly drop?: Readonly<Record<string, string>>
  /** Members that stand elsewhere at this provider, such as in the path: no loss. */
  readonly move?: readonly string[]
  /** Members with another name. Where a body has both, the new one counts, and the old one is a loss. */
  readonly rename?: Readonly<Record<string, string>>
  /** Members that have these values, whatever the client writes. */
  readonly set?: Readonly<Record<string, unknown>>
  /**
   * What the provider has in place of a member with a certain value, by the value, which is JSON unless it is a text:
   * `{ tool_choice: { required: { tool_choice: 'any' } } }`. It means the same: no loss. It goes before the others.
   */
  readonly replace?: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  >
  /** The nearest value for each value that the provider lacks, by member: a loss. */
  readonly nearest?: Readonly<Record<string, Readonly<Record<string, string | number>>>>
  /** Other names of roles, in the turns of `messages` and `input`. */
  readonly roles?: Readonly<Record<string, string>>
  /** Changes of each turn of `messages`. */
  readonly turns?: TurnChanges
  /** What else the request loses, such as in its headers, with the reasons. */
  readonly lost?: Readonly<Record<string, string>>
  /** Puts the changed body, a JSON object, into another one. */
  readonly wrap?: (body: Buffer) => Buffer
}

/** Where a chat message has what the model has thought before an answer: a member, a part of `content`, or nowhere. */
export type ReasoningForm = 'reasoning' | 'reasoning_content' | 'thinking' | 'think-tags' | 'none'

/** Changes of the turns of a chat request. */
export interface TurnChanges {
  /** As `BodyChanges.drop`, of each turn but the results of tools. */
  readonly drop?: Readonly<Record<string, string>>
  /**
   * Where the provider takes the reasoning of earlier answers, which clients and other accounts write as `reasoning` or
   * `reasoning_content`. `thinking`: a part of this type. `think-tags`: in `<think>` at the start of the text. `none`: it
   * is left out. As reasoning returns only to its own account anyway, that is no loss.
   */
  readonly reasoning?: ReasoningForm
  /** Answers that have to have the member of `reasoning`, which is empty where there was none. */
  readonly needsReasoning?: 'answers' | 'calls'
  /** The member that is `true` in an answer at the end, which the model is to continue. */
  readonly continued?: string
  /** Ids of tool calls that the provider accepts. Others become a hash of nine letters and digits. */
  readonly callIds?: RegExp
}
