import { anyObject, integer, object, text } from '../shared/json-schema.ts'

const transcription = object({ model: text })

/** The members of a session that name models. */
const session = object({
  type: text,
  model: text,
  audio: object({ input: object({ transcription }) }),
  input_audio_transcription: transcription,
})

/** Schema of `POST /v1/realtime/client_secrets`. */
export const secretSchema = {
  request: {
    type: 'object',
    required: ['session'],
    properties: { session, expires_after: object({ anchor: text, seconds: integer }) },
  },
  reply: object({ value: text, expires_at: integer, session: anyObject }),
}

/** The members of events of clients that the gateway reads. */
export const eventSchema = {
  request: { type: 'object', properties: { type: text, event_id: text, session } },
}
