import { newId } from '../../ids.ts'
import type { JsonObject } from '../../json.ts'
import type { Directives } from '../../steering/directives.ts'
import { countTokens, deltasOf, generateWords } from '../../text/words.ts'

/** What a response answers, and how. */
export type Asked = {
  /** The last text of the user. */
  userText: string
  /** Words of the whole conversation. */
  inputTokens: number
  /** Bytes of audio of the user. */
  audioBytes: number
  speaks: boolean
  metadata: unknown
}

/** The events of a response, from the first to the last one. */
export function* eventsOf(asked: Asked, directives: Directives): Generator<JsonObject> {
  const id = newId('resp_')
  const itemId = newId('item_')
  const place = { response_id: id, item_id: itemId, output_index: 0, content_index: 0 }
  const text = textFor(asked, directives)
  const response = { object: 'realtime.response', id, metadata: asked.metadata ?? null }
  const item = { id: itemId, object: 'realtime.item', type: 'message', role: 'assistant' }
  const open = { ...response, status: 'in_progress', status_details: null, output: [], usage: null }
  yield { type: 'response.created', response: open }
  const begun = { ...item, status: 'in_progress', content: [] }
  const { response_id, output_index } = place
  yield { type: 'response.output_item.added', response_id, output_index, item: begun }
  yield { type: 'conversation.item.added', previous_item_id: null, item: begun }
  const kind = asked.speaks ? 'audio' : 'text'
  yield {
    type: 'response.content_part.added',
    ...place,
    part: asked.speaks ? { type: kind, transcript: '' } : { type: kind, text: '' },
  }
  for (const delta of deltasOf(text, directives.big !== undefined)) {
    if (asked.speaks) {
      yield { type: 'response.output_audio_transcript.delta', ...place, delta }
      const audio = Buffer.alloc(480, delta).toString('base64')
      yield { type: 'response.output_audio.delta', ...place, delta: audio }
    } else yield { type: 'response.output_text.delta', ...place, delta }
  }
  if (asked.speaks) {
    yield { type: 'response.output_audio.done', ...place }
    yield { type: 'response.output_audio_transcript.done', ...place, transcript: text }
  } else yield { type: 'response.output_text.done', ...place, text }
  const content = [
    asked.speaks ? { type: 'output_audio', transcript: text } : { type: 'output_text', text },
  ]
  const part = asked.speaks ? { type: kind, transcript: text } : { type: kind, text }
  yield { type: 'response.content_part.done', ...place, part }
  const done = { ...item, status: 'completed', content }
  yield { type: 'response.output_item.done', response_id, output_index, item: done }
  yield { type: 'conversation.item.done', previous_item_id: null, item: done }
  const usage = directives.nousage ? null : usageOf(asked, text)
  const end = { status: 'completed', status_details: null, output: [done], usage }
  yield { type: 'response.done', response: { ...response, ...end } }
  yield { type: 'rate_limits.updated', rate_limits: [] }
}

/** The event of a response that its client, or a turn of the user, has cancelled. */
export function cancelledEvent(id: unknown, usage: JsonObject): JsonObject {
  const details = { type: 'cancelled', reason: 'client_cancelled' }
  const end = { status: 'cancelled', status_details: details, output: [], usage }
  return { type: 'response.done', response: { object: 'realtime.response', id, ...end } }
}

function textFor({ userText }: Asked, directives: Directives): string {
  if (directives.text) return directives.text
  if (directives.words !== undefined) return generateWords(directives.words)
  if (directives.big !== undefined) return 'x'.repeat(directives.big)
  return userText === '' ? 'You said nothing.' : `You said: ${userText}`
}

/** Bytes of audio for one token. */
const bytesOfToken = 4_800

/** The counts of a response, as OpenAI reports them. */
export function usageOf({ inputTokens, audioBytes, speaks }: Asked, text: string): JsonObject {
  const audioTokens = Math.ceil(audioBytes / bytesOfToken)
  const input = inputTokens + audioTokens
  const textTokens = text === '' ? 0 : countTokens(text)
  const spoken = speaks ? 2 * textTokens : 0
  return {
    total_tokens: input + textTokens + spoken,
    input_tokens: input,
    output_tokens: textTokens + spoken,
    input_token_details: {
      text_tokens: inputTokens,
      audio_tokens: audioTokens,
      image_tokens: 0,
      cached_tokens: 0,
      cached_tokens_details: { text_tokens: 0, audio_tokens: 0, image_tokens: 0 },
    },
    output_token_details: { text_tokens: textTokens, audio_tokens: spoken },
  }
}
