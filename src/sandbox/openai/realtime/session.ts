import { newId, nowInSeconds } from '../../ids.ts'
import { type JsonObject, isObject, objectOf, textOf } from '../../json.ts'

/** The session of a connection, or of an ephemeral key, with the defaults of OpenAI. */
export function newSession(model: string, given: JsonObject = {}): JsonObject {
  const format = { type: 'audio/pcm', rate: 24_000 }
  const session = {
    type: 'realtime',
    object: 'realtime.session',
    id: newId('sess_'),
    model,
    output_modalities: ['audio'],
    instructions: 'You are a sandbox.',
    tools: [],
    tool_choice: 'auto',
    max_output_tokens: 'inf',
    tracing: null,
    truncation: 'auto',
    prompt: null,
    expires_at: nowInSeconds() + 3_600,
    audio: {
      input: { format, transcription: null, noise_reduction: null, turn_detection: usualDetection },
      output: { format, voice: 'alloy', speed: 1 },
    },
    include: null,
  }
  return changed(session, given)
}

const usualDetection = {
  type: 'server_vad',
  threshold: 0.5,
  prefix_padding_ms: 300,
  silence_duration_ms: 200,
  idle_timeout_ms: null,
  create_response: true,
  interrupt_response: true,
}

/** A session after a change: parts of `audio` that it does not name stay. */
export function changed(session: JsonObject, change: JsonObject): JsonObject {
  const audio = objectOf(session['audio'])
  const given = objectOf(change['audio'])
  const side = (name: string) => ({ ...objectOf(audio[name]), ...objectOf(given[name]) })
  const sides = { input: side('input'), output: side('output') }
  return { ...session, ...change, audio: sides }
}

/** The settings of the input that say when a turn ends, and who writes it down. */
export function inputOf(session: JsonObject): {
  readonly endsTurns: boolean
  readonly transcriber: string | undefined
} {
  const input = objectOf(objectOf(session['audio'])['input'])
  const { turn_detection: detection, transcription } = input
  return {
    endsTurns: isObject(detection) && detection['create_response'] !== false,
    transcriber: isObject(transcription) ? textOf(transcription['model']) : undefined,
  }
}

/** Whether a response of a session, with settings of its own, speaks. */
export function speaks(session: JsonObject, response: JsonObject): boolean {
  const { output_modalities: wanted = session['output_modalities'] } = response
  return Array.isArray(wanted) && wanted.includes('audio')
}
