import type { Completeness, EventDecoder } from '../../../../../src/contract/codec.ts'
import { GatewayError } from '../../../../../src/contract/errors.ts'
import type { ErrorEvent, GenerateEvent } from '../../../../../src/generate/events.ts'
import { ToolNames } from '../../../../../src/generate/names.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { GenerateUsage } from '../../../../../src/generate/result.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'
import { CallIds } from '../../../shared/blocks/call-ids.ts'
import { OpenBlocks } from '../../../shared/blocks/open-blocks.ts'
import { failureOfException } from '../../errors.ts'
import { signatureOf } from '../signatures.ts'
import { failedEnd, readStop } from '../stop.ts'
import { readUsage } from '../usage.ts'
import { isServerTool, readCitation, readToolName } from './read-blocks.ts'

/** An image that is streamed: its format, and its bytes so far, each piece in base64 of its own. */
interface OpenImage {
  readonly format: string
  readonly pieces: Buffer[]
}

/** The most that the images of a reply take, in bytes, and the least that a piece of one counts. */
const mostImageBytes = 32 * 1024 * 1024
const leastPieceBytes = 1_024

/**
 * Decodes a stream. A block becomes a part with its first content. `messageStop` ends the message, and `metadata` with
 * the usage follows: the reply is complete with both, or with the end of the stream after `messageStop`.
 */
export class ConverseDecoder implements EventDecoder {
  readonly #request: GenerateRequest
  readonly #emit: (event: GenerateEvent) => void
  readonly #names: ToolNames
  readonly #blocks: OpenBlocks
  readonly #calls: CallIds
  readonly #images = new TextMap<OpenImage, unknown>()
  #imageBytes = 0
  #hasStarted = false
  #hasEnded = false
  #hasContent = false
  #stop: JsonObject | undefined
  #metadata: JsonObject | undefined

  constructor(request: GenerateRequest, emit: (event: GenerateEvent) => void) {
    this.#request = request
    this.#emit = emit
    this.#names = new ToolNames(request.tools)
    this.#calls = new CallIds(request)
    this.#blocks = new OpenBlocks(emit)
  }

  get usage(): GenerateUsage {
    return readUsage(this.#metadata)
  }

  get completeness(): Completeness | undefined {
    return this.#stop ? 'likely' : undefined
  }

  decode(data: JsonObject, name: string, isError = false): void {
    if (this.#hasEnded) return
    if (isError) return this.#fail(failureOfException(data, name))
    const { contentBlockIndex: at } = data
    switch (name) {
      case 'contentBlockDelta':
        return this.#add(at, objectAt(data, 'delta') ?? {})
      case 'contentBlockStart':
        return this.#open(at, objectAt(data, 'start') ?? {})
      case 'contentBlockStop':
        return this.#close(at)
      case 'messageStart':
        return this.#start()
      case 'messageStop':
        this.#stop = data
        return this.#finish()
      case 'metadata':
        this.#metadata = data
        return this.#finish()
      default:
      // Future events carry nothing to decode.
    }
  }

  /** A stream may end without its metadata: the message is complete, and its usage unknown. */
  end(): void {
    if (this.#stop && !this.#hasEnded) this.#conclude(this.#stop)
  }

  #start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#emit({ type: 'start' })
  }

  #open(at: unknown, { toolUse, image, toolResult }: JsonObject): void {
    this.#start()
    if (image) {
      this.#countImage(0)
      this.#images.set(at, { format: stringAt(image, 'format') ?? 'png', pieces: [] })
    } else if (toolResult || isServerTool(toolUse)) {
      // Clients of other dialects cannot read the blocks of an account's own tools.
      this.#blocks.begin(at, 'ignored')
    } else if (toolUse) {
      this.#hasContent = true
      const id = this.#calls.next(stringAt(toolUse, 'toolUseId'))
      const callName = this.#names.original(readToolName(toolUse))
      const open = this.#blocks.begin(at, 'call')
      open.call({ type: 'tool_call', id, name: callName, kind: 'function' }, undefined)
    }
  }

  #add(at: unknown, { text, toolUse, reasoningContent, citation, image }: JsonObject): void {
    this.#start()
    if (typeof text === 'string') {
      this.#hasContent ||= text !== ''
      this.#blocks.at(at, 'text').add(text)
    } else if (toolUse) {
      this.#blocks.at(at, 'call').add((toolUse as JsonObject).input)
    } else if (reasoningContent) {
      this.#think(at, reasoningContent as JsonObject)
    } else if (citation) {
      const known = readCitation(citation)
      if (known) this.#blocks.at(at, 'text').cite(known)
    } else if (image) {
      const bytes = stringAt(objectAt(image, 'source'), 'bytes') ?? ''
      this.#countImage(bytes.length)
      this.#images.get(at)?.pieces.push(Buffer.from(bytes, 'base64'))
    }
  }

  /** Throws `upstream_reply_too_large`: an image has no event before its end, by which its size could be known. */
  #countImage(bytes: number): void {
    this.#imageBytes += Math.max(bytes, leastPieceBytes)
    if (this.#imageBytes <= mostImageBytes) return
    throw new GatewayError('upstream_reply_too_large', "The upstream's reply is too large.")
  }

  #think(at: unknown, { text, signature, redactedContent }: JsonObject): void {
    if (redactedContent !== undefined) {
      this.#blocks.at(at, 'redacted').sign(signatureOf(redactedContent))
    } else if (signature !== undefined) {
      this.#blocks.at(at, 'thinking').sign(signatureOf(signature))
    } else {
      this.#blocks.at(at, 'thinking').add(text)
    }
  }

  #close(at: unknown): void {
    this.#blocks.close(at)
    const { format, pieces = [] } = this.#images.get(at) ?? {}
    this.#images.delete(at)
    if (format === undefined || pieces.length === 0) return
    this.#hasContent = true
    const base64 = Buffer.concat(pieces).toString('base64')
    const open = this.#blocks.begin(at, 'image')
    open.show({ type: 'image', mediaType: `image/${format}`, base64 })
    this.#blocks.close(at)
  }

  #finish(): void {
    if (this.#stop && this.#metadata) this.#conclude(this.#stop)
  }

  /** Ends the reply. A message without a reason of its end is not complete. */
  #conclude(stop: JsonObject): void {
    this.#hasEnded = true
    if (stringAt(stop, 'stopReason') === undefined) throw unfinished()
    this.#start()
    const failed = failedEnd(stop, this.#hasContent)
    if (failed) return this.#fail(failed)
    this.#blocks.closeAll()
    const reason = readStop(stop, this.#request, this.#calls.count > 0)
    this.#emit({ type: 'stop', choice: 0, stop: reason })
    this.#emit({ type: 'finish', usage: this.usage })
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
