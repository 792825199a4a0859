import type { Dispatcher } from 'undici'

import { GatewayError } from '../contract/errors.ts'
import {
  ContentDecoder,
  type DecoderSink,
  type DecodingFault,
  type DecodingLimits,
} from '../lib/content-decoder.ts'

/** The part of a connection's controller that attempts use. */
export type ReplyController = Pick<
  Dispatcher.DispatchController,
  'abort' | 'pause' | 'paused' | 'resume'
>

/** Receives the decoded bytes of a reply. */
export interface DecodedReply {
  onDecodedBytes(chunk: Buffer): void
  onDecodedEnd(): void
  onUndecodable(error: GatewayError): void
}

/**
 * Decodes a reply that is compressed although the request asked for `identity`, and controls it: a
 * pause stops both the decoder and the connection.
 */
export class ReplyDecoder implements DecoderSink, ReplyController {
  readonly #decoder: ContentDecoder
  readonly #source: ReplyController
  readonly #reply: DecodedReply
  paused = false

  constructor(
    codings: readonly string[],
    limits: DecodingLimits,
    source: ReplyController,
    reply: DecodedReply,
  ) {
    this.#decoder = new ContentDecoder(codings, limits, this)
    this.#source = source
    this.#reply = reply
  }

  write(chunk: Buffer): void {
    if (!this.#decoder.write(chunk)) this.#source.pause()
  }

  end(): void {
    this.#decoder.end()
  }

  pause(): void {
    this.paused = true
    this.#decoder.pause()
    this.#source.pause()
  }

  resume(): void {
    this.paused = false
    this.#decoder.resume()
    this.#source.resume()
  }

  abort(reason: Error): void {
    this.destroy()
    this.#source.abort(reason)
  }

  destroy(): void {
    this.#decoder.destroy()
  }

  onDecoderReady(): void {
    if (!this.paused) this.#source.resume()
  }

  onDecoded(chunk: Buffer): void {
    this.#reply.onDecodedBytes(chunk)
  }

  onDecodedAll(): void {
    this.#reply.onDecodedEnd()
  }

  onDecodingFault(fault: DecodingFault): void {
    this.#reply.onUndecodable(errorOf(fault))
  }
}

function errorOf(fault: DecodingFault): GatewayError {
  if (fault === 'invalid') return undecodable('is not encoded as its header says')
  if (fault === 'ratio') return undecodable('expands too much when it is decompressed')
  const message = "The upstream's reply is too large when it is decompressed."
  return new GatewayError('upstream_reply_too_large', message)
}

/** The error for a reply that cannot be decoded. */
export function undecodable(reason: string): GatewayError {
  return new GatewayError('upstream_invalid_reply', `The upstream's reply ${reason}.`)
}
