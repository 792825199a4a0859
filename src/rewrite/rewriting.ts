import type { RequestBody } from '../contract/body.ts'
import type { Loss } from '../contract/call.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Limits } from '../contract/limits.ts'
import type { GenerateRequest } from '../generate/request.ts'
import { assertReadable, hasOtherCharset } from '../kit/codec/file-text.ts'
import { isSameJson } from '../lib/json/same.ts'
import { writeJson } from '../lib/json/write.ts'
import { runInTurns, nextTurn } from '../lib/turns.ts'
import { mapMedia } from '../remote/media-parts.ts'
import { additionsOf, withoutMembers } from './additions.ts'
import { textChanges } from './align.ts'
import { type DialectRequest, type Written, contentOf } from './dialect-request.ts'
import { edited, measured, parsed } from './draft.ts'
import { findTexts, textEdits } from './edit-texts.ts'
import { lostExtras, unwritten } from './losses.ts'
import { mergeEdits } from './merge.ts'

/** A body, and the request that the codec reads in it. */
interface Draft {
  readonly body: RequestBody
  readonly request: GenerateRequest
}

/** The changed body, and the fields that were lost. */
interface Result {
  readonly body: RequestBody
  readonly losses: readonly Loss[]
}

/**
 * Writes a changed request into a client's body, with as few changes of its bytes as possible: first
 * texts where they stand, then the members that differ, and the whole body only if these edits do not
 * produce the change. Every draft is decoded again: only one that means the changed request is sent.
 */
export class Rewriting {
  readonly #exchange: Understood
  readonly #dialect: DialectRequest
  readonly #limits: Limits
  /** The owner of the turns. */
  readonly #owner: string

  constructor(exchange: Understood, dialect: DialectRequest, limits: Limits) {
    this.#exchange = exchange
    this.#dialect = dialect
    this.#limits = limits
    this.#owner = exchange.caller.keyId
  }

  /** Rejects with a `GatewayError`, or with another error if the change cannot be written. */
  async write(original: GenerateRequest, wanted: GenerateRequest): Promise<Result> {
    const client = { body: this.#exchange.body, request: original }
    const texts = (await this.#withTexts(client, wanted)) ?? client
    if (means(texts.request, wanted)) return this.#result(original, wanted, texts, [])
    await this.#turn()
    const { before, after } = await this.#versions(texts, wanted)
    await this.#turn()
    const reread = this.#decode({ json: after.body })
    for (const isDeep of [true, false]) {
      const draft = await this.#merged(texts, before, after, isDeep)
      if (!draft) continue
      const isRight = means(draft.request, wanted) || (reread && means(draft.request, reread))
      if (isRight) return this.#result(original, wanted, draft, newLosses(before, after))
    }
    return this.#result(original, wanted, await this.#whole(after), after.losses)
  }

  /** The request before and after the change in the codec's own words, as a client would write it. */
  async #versions({ body, request }: Draft, wanted: GenerateRequest) {
    const before = this.#encode(request)
    await this.#turn()
    const after = this.#encode(wanted)
    await this.#turn()
    const added = additionsOf(before.body, body.json, request, (read) => this.#decode(read))
    const own = (one: Written) => ({ ...one, body: withoutMembers(one.body, added) })
    return { before: own(before), after: own(after) }
  }

  #encode(request: GenerateRequest): Written {
    assertReadable(request, hasOtherCharset)
    return this.#dialect.encode(request)
  }

  async #withTexts({ body, request }: Draft, wanted: GenerateRequest): Promise<Draft | undefined> {
    await this.#turn()
    const changes = textChanges(contentOf(request), contentOf(wanted))
    if (changes.length === 0) return undefined
    const tree = await runInTurns(findTexts(body, changes, this.#dialect), { owner: this.#owner })
    const json = measured(body, this.#limits)
    await this.#turn()
    const edits = textEdits(json, tree)
    await this.#turn()
    return edits.length === 0 ? undefined : this.#draft(body, edits)
  }

  async #merged(
    { body }: Draft,
    { body: before }: Written,
    { body: after }: Written,
    isDeep: boolean,
  ): Promise<Draft | undefined> {
    const json = measured(body, this.#limits)
    await this.#turn()
    const versions = { before, after }
    return this.#draft(body, mergeEdits(json, body.json, versions, { isDeep }))
  }

  async #draft(body: RequestBody, edits: Parameters<typeof edited>[2]): Promise<Draft | undefined> {
    const next = await edited(this.#exchange, body, edits, this.#limits)
    await this.#turn()
    const request = this.#decode(next)
    await this.#turn()
    return request && { body: next, request }
  }

  /** The whole body as the codec writes it. It names no resources that the client's body refers to. */
  async #whole({ body: written }: Written): Promise<Draft> {
    const { call, body } = this.#exchange
    if (call.refersTo.length > 0) {
      throw new Error("The change has no form in the client's dialect next to stored resources.")
    }
    const model = call.modelAt && { model: body.json.model }
    const bytes = await runInTurns(writeJson({ ...written, ...model }), { owner: this.#owner })
    const next = await parsed(this.#exchange, bytes, this.#limits)
    return { body: next, request: this.#dialect.decode(next) }
  }

  /** Each step looks through a large body, so each has a turn of the event loop. */
  async #turn(): Promise<void> {
    if (this.#exchange.body.isLarge) await nextTurn(this.#owner)
  }

  #decode(body: Pick<RequestBody, 'json'>): GenerateRequest | undefined {
    try {
      return this.#dialect.decode(body)
    } catch (error) {
      if (GatewayError.isInstance(error)) return undefined
      throw error
    }
  }

  #result(
    original: GenerateRequest,
    wanted: GenerateRequest,
    { body, request }: Draft,
    dropped: readonly Loss[],
  ): Result {
    const losses = [...lostExtras(original, request), ...unwritten(wanted, request), ...dropped]
    return { body, losses: losses.filter(isFirst) }
  }
}

function means(request: GenerateRequest, wanted: GenerateRequest): boolean {
  return isSameJson(contentOf(withoutPlaces(request)), contentOf(withoutPlaces(wanted)))
}

/** A request whose media have no fields of the client: turns that a plugin inserts move them. */
function withoutPlaces(request: GenerateRequest): GenerateRequest {
  return mapMedia(request, (part) => {
    const { field: _, ...content } = part
    if (content.type !== 'image' || !content.discarded) return content
    return { ...content, discarded: { ...content.discarded, field: '' } }
  })
}

/** The losses of the change itself: others concern fields that stay as the client wrote them. */
function newLosses(before: Written, after: Written): Loss[] {
  const known = new Set(before.losses.map(({ field }) => field))
  return after.losses.filter(({ field }) => !known.has(field))
}

function isFirst({ field }: Loss, index: number, losses: readonly Loss[]): boolean {
  return losses.findIndex((loss) => loss.field === field) === index
}
