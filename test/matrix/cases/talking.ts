import assert from 'node:assert/strict'

import type { Case } from './case.ts'
import { endings } from './endings.ts'

const plain: Case = {
  name: 'plain text',
  upstream: 'echo',
  settings: {},
  turns: [[{ text: 'Hello out there' }]],
  check({ client, stream, replies, received }) {
    const [reply] = replies
    assert.deepEqual(reply, {
      text: 'You said: Hello out there',
      reasoning: '',
      refusal: '',
      calls: [],
      ending: endings.done[client],
      usage: { input: 3, output: 5 },
    })
    const [request] = received
    assert.equal(request?.stream, stream)
    assert.deepEqual(
      request?.turns.map(({ role, text }) => ({ role, text })),
      [{ role: 'user', text: 'Hello out there' }],
    )
  },
}

const system: Case = {
  name: 'system text',
  upstream: 'echo',
  settings: { system: 'Be brief.' },
  turns: [[{ text: 'Hello' }]],
  check({ replies, received }) {
    assert.equal(replies[0]?.text, 'You said: Hello')
    assert.deepEqual(replies[0]?.usage, { input: 3, output: 3 })
    assert.equal(received[0]?.system, 'Be brief.')
    assert.equal(received[0]?.turns.length, 1)
  },
}

const multiTurn: Case = {
  name: 'several turns',
  upstream: 'echo',
  settings: { system: 'Be brief.' },
  turns: [[{ text: 'One' }], [{ text: 'Two' }], [{ text: 'Three' }]],
  check({ replies, received }) {
    assert.deepEqual(
      replies.map(({ text }) => text),
      ['You said: One', 'You said: Two', 'You said: Three'],
    )
    assert.deepEqual(
      received.at(-1)?.turns.map(({ role, text }) => `${role}: ${text}`),
      [
        'user: One',
        'assistant: You said: One',
        'user: Two',
        'assistant: You said: Two',
        'user: Three',
      ],
    )
    assert.equal(received.at(-1)?.system, 'Be brief.')
  },
}

export const talking = [plain, system, multiTurn]
