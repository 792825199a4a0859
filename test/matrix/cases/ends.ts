import assert from 'node:assert/strict'

import type { Case } from './case.ts'
import { endings } from './endings.ts'
import { refusals } from './refusals.ts'

const stop: Case = {
  name: 'stop sequence',
  upstream: 'text=one%20two%20STOP%20three',
  settings: { stop: 'STOP' },
  turns: [[{ text: 'Count.' }]],
  outcomes: {
    'responses on responses': '400 stop',
    'responses on chat': 'served without stop',
    'responses on messages': 'served without stop',
    'responses on generate': 'served without stop',
    'responses on converse': 'served without stop',
  },
  check({ client, account, replies, received }) {
    const isLost = client === 'responses'
    assert.equal(replies[0]?.text, isLost ? 'one two STOP three' : 'one two ')
    // Responses has no stop sequences: there the gateway itself finds them in the reply.
    assert.deepEqual(received[0]?.stop, isLost || account === 'responses' ? [] : ['STOP'])
    // Only these two accounts tell it from an answer that came to its end by itself.
    const isTold = client === 'messages' && account !== 'chat' && account !== 'generate'
    if (isTold) assert.equal(replies[0]?.ending, 'stop_sequence')
    else assert.equal(replies[0]?.ending, endings.done[client])
  },
}

const length: Case = {
  name: 'length cut',
  upstream: 'words=40',
  settings: { maxTokens: 20 },
  turns: [[{ text: 'Go on.' }]],
  check({ client, replies, received }) {
    const [reply] = replies
    assert.equal(reply?.text.split(' ').length, 20)
    assert.equal(reply?.ending, endings.length[client])
    assert.deepEqual(reply?.usage, { input: 2, output: 20 })
    assert.equal(received[0]?.maxTokens, 20)
  },
}

const error: Case = {
  name: 'error',
  upstream: {
    json: 'status=429+message=too%20much',
    stream: 'words=8+error=5+message=it%20broke',
  },
  settings: {},
  turns: [[{ text: 'Hello' }]],
  check: ({ replies }) => assert.deepEqual(replies, []),
  checkProblem({ raised, status, message }, { client, stream }) {
    assert.equal(raised, raises[client][stream ? 'inStream' : 'rateLimit'])
    if (!stream) assert.equal(status, 429)
    assert.ok(message.includes(stream ? 'it broke' : 'too much'), message)
  },
}

/** What each SDK raises where an account is asked too much, and where a stream breaks. */
const raises = {
  responses: { rateLimit: 'RateLimitError', inStream: 'APIError' },
  chat: { rateLimit: 'RateLimitError', inStream: 'APIError' },
  messages: { rateLimit: 'RateLimitError', inStream: 'APIError' },
  generate: { rateLimit: 'ApiError', inStream: 'ApiError' },
}

export const ends = [stop, length, ...refusals, error]
