import { newId, nowInSeconds } from '../../ids.ts'
import { numberOf, objectOf, textOf } from '../../json.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { choice, integer, object } from '../../shape.ts'
import { openai } from '../provider.ts'
import { newSession } from './session.ts'
import { sessionShape } from './shapes.ts'

const request = object({
  optional: {
    session: sessionShape,
    expires_after: object({
      optional: { anchor: choice('created_at'), seconds: integer({ min: 10, max: 7_200 }) },
    }),
  },
})

/** `POST /v1/realtime/client_secrets`: a key that opens a session with these settings. */
export const clientSecrets: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/realtime\/client_secrets$/,
  hasBody: true,
  modelOfBody: (body) => textOf(objectOf(body['session'])['model']),
  answer,
}

function answer({ account, body }: Call): Reply {
  request(body, [])
  const given = objectOf(body['session'])
  const session = newSession(textOf(given['model']) || 'gpt-realtime', given)
  const seconds = numberOf(objectOf(body['expires_after'])['seconds']) ?? 600
  const value = newId('ek_')
  const expiresAt = nowInSeconds() + seconds
  account.clientSecrets.put(value, { session, expiresAt }, JSON.stringify(session).length)
  return { json: { value, expires_at: expiresAt, session } }
}
