import { checkArguments } from '../../../../../src/kit/codec/read.ts'
import type { EventDecoder } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { ErrorEvent, GenerateEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateUsage } from '../../../../../src/generate/result.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCitation, readCitations } from '../citations.ts'
import { CallIds } from '../../../shared/blocks/call-ids.ts'
import { readToolName } from './decode-result.ts'
import { eventErrorIn, failureOfError } from './failure.ts'
import { type OpenBlock, OpenBlocks } from '../../../shared/blocks/open-blocks.ts'
import { readSignatureText } from '../signatures.ts'
import { failedEnd, readRefusal, readStop } from '../stop.ts'
import { ToolNames } from '../../../../../src/generate/names.ts'
import { UsageCount, readServedTier } from '../usage.ts'

/** Decodes a streamed message. A block becomes a part with its first content. */
export class MessageDecoder implements EventDecoder {
  readonly #emit: (event: GenerateEvent) => void
  readonly #names: ToolNames
  readonly #blocks: OpenBlocks
  readonly #usage = new UsageCount()
  readonly #calls: CallIds
  #id: string | undefined
  #hasStarted = false
  #hasEnded = false
  #hasText = false
  #stop: string | undefined
  #sequence: unknown
  #refusal: string | undefined

  constructor(request: GenerateRequest, emit: (event: GenerateEvent) => void) {
    this.#emit = emit
    this.#names = new ToolNames(request.tools)
    this.#calls = new CallIds(request)
    this.#blocks = new OpenBlocks(emit)
  }

  get usage(): GenerateUsage {
    return this.#usage.total
  }

  decode(data: JsonObject, name: string): void {
    if (this.#hasEnded) return
    const error = eventErrorIn(data, name)
    if (error) return this.#fail(failureOfError(error))
    switch (data.type ?? name) {
      case 'content_block_delta':
        return this.#add(data.index, data.delta as JsonObject | null | undefined)
      case 'content_block_start':
        return this.#open(data.index, objectAt(data, 'content_block') ?? {})
      case 'content_block_stop':
        return this.#blocks.close(data.index)
      case 'message_start':
        return this.#start(objectAt(data, 'message'))
      case 'message_delta':
        return this.#note(data)
      case 'message_stop':
        return this.#finish()
      default:
      // Pings and future events carry nothing to decode.
    }
  }

  /** Does nothing: only `message_stop` ends a message of this dialect. */
  done(): void {}

  end(): void {}

  #start(message?: Record<string, unknown>): void {
    this.#usage.noteInput(objectAt(message, 'usage'))
    if (this.#hasStarted) return
    this.#hasStarted = true
    const id = stringAt(message, 'id')
    const model = stringAt(message, 'model')
    const serviceTier = readServedTier(message?.usage)
    this.#id = id
    this.#emit({
      type: 'start',
      ...(id !== undefined && { id }),
      ...(model !== undefined && { model }),
      ...(serviceTier !== undefined && { serviceTier }),
    })
  }

  #open(at: unknown, block: Record<string, unknown>): void {
    if (!this.#hasStarted) this.#start()
    switch (block.type) {
      case 'text': {
        const open = this.#blocks.begin(at, 'text')
        for (const citation of readCitations(block.citations)) open.cite(citation)
        if (block.text) this.#hasText = true
        return open.add(block.text)
      }
      case 'thinking': {
        const open = this.#blocks.begin(at, 'thinking')
        open.add(block.thinking)
        return open.sign(readSignatureText(stringAt(block, 'signature') ?? ''))
      }
      case 'redacted_thinking':
        return this.#blocks
          .begin(at, 'redacted')
          .sign(readSignatureText(stringAt(block, 'data') ?? ''))
      case 'tool_use':
        return this.#call(this.#blocks.begin(at, 'call'), block)
      default:
        // Clients of other dialects cannot read the blocks of an account's own tools.
        this.#blocks.begin(at, 'ignored')
    }
  }

  #call(open: OpenBlock, block: Record<string, unknown>): void {
    checkArguments(block.input)
    const id = this.#calls.next(stringAt(block, 'id'), this.#id)
    const name = this.#names.original(readToolName(block))
    open.call({ type: 'tool_call', id, name, kind: 'function' }, block.input)
  }

  #add(at: unknown, delta: JsonObject | null | undefined): void {
    if (!this.#hasStarted) this.#start()
    switch (delta?.type) {
      case 'text_delta':
        this.#hasText = true
        return this.#blocks.at(at, 'text').add(delta.text)
      case 'input_json_delta':
        return this.#blocks.at(at, 'call').add(delta.partial_json)
      case 'thinking_delta':
        return this.#blocks.at(at, 'thinking').add(delta.thinking)
      case 'signature_delta':
        return this.#blocks
          .at(at, 'thinking')
          .sign(readSignatureText(stringAt(delta, 'signature') ?? ''))
      case 'citations_delta': {
        const citation = readCitation(delta.citation)
        if (citation) this.#blocks.at(at, 'text').cite(citation)
      }
    }
  }

  #note(data: JsonObject): void {
    this.#usage.noteAll(objectAt(data, 'usage'))
    const delta = objectAt(data, 'delta')
    this.#stop = stringAt(delta, 'stop_reason') || this.#stop
    this.#sequence = delta?.stop_sequence ?? this.#sequence
    this.#refusal = readRefusal(delta) ?? this.#refusal
  }

  /** Ends the message. A message without a stop reason is not complete. */
  #finish(): void {
    this.#hasEnded = true
    if (this.#stop === undefined) throw unfinished()
    const hasAnswer = this.#hasText || this.#calls.count > 0 || this.#refusal !== undefined
    const failed = failedEnd(this.#stop, hasAnswer)
    if (!this.#hasStarted) this.#start()
    if (failed) return this.#fail(failed)
    this.#blocks.closeAll()
    if (this.#refusal !== undefined) {
      const refusal = this.#blocks.begin('refusal', 'refusal')
      refusal.add(this.#refusal)
      refusal.end()
    }
    const stop = readStop(this.#stop, this.#sequence, this.#calls.count > 0)
    this.#emit({ type: 'stop', choice: 0, stop })
    this.#emit({ type: 'finish', usage: this.#usage.total })
  }

  #fail(failure: ErrorEvent): void {
    this.#hasEnded = true
    this.#emit(failure)
  }
}

function unfinished(): GatewayError {
  return new GatewayError(
    'upstream_stream_broken',
    "The upstream's message ended without a stop reason.",
  )
}
