import assert from 'node:assert/strict'

import type { Case } from './case.ts'
import { endings } from './endings.ts'

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    people: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['city', 'people', 'tags'],
  additionalProperties: false,
}

const structured: Case = {
  name: 'structured output',
  upstream: 'echo',
  settings: { schema },
  turns: [[{ text: 'Name a city.' }]],
  check({ client, replies, received }) {
    const [reply] = replies
    assert.deepEqual(JSON.parse(reply?.text ?? ''), {
      city: 'example',
      people: 1,
      tags: ['example'],
    })
    assert.equal(reply?.ending, endings.done[client])
    assert.deepEqual(received[0]?.schema, schema)
  },
}

const tools = [
  {
    name: 'get_time',
    description: 'The time in a zone.',
    parameters: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
  },
]

const reasoning: Case = {
  name: 'reasoning with a tool',
  upstream: 'tool=get_time',
  settings: { reasoning: true, tools },
  turns: [[{ text: 'What time is it?' }], () => 'noon'],
  outcomes: {
    'responses on chat': 'served without reasoning.summary',
    'messages on responses': 'served without thinking.budget_tokens',
    'messages on chat': 'served without thinking.budget_tokens',
  },
  check({ client, account, replies, received }) {
    const [thought, answer] = replies
    // OpenAI tells its thoughts to nobody, and a summary to those who can ask for one.
    const isTold = client !== 'chat' || account !== 'responses'
    assert.equal(thought?.reasoning, isTold ? 'The user wrote: What time is it?' : '')
    assert.equal(thought?.ending, endings.calls[client])
    assert.equal(thought?.usage.input, 4)
    assert.ok((thought?.usage.output ?? 0) > 7, 'what was thought is not in the usage')
    assert.equal(answer?.text, 'The tool answered: noon')

    const [first, second] = received
    assert.equal(first?.reasoning, true)
    const signatures = second?.turns[1]?.signatures ?? []
    // In chat completions nothing proves who thought.
    assert.equal(signatures.length, account === 'chat' ? 0 : 1)
    assert.ok(signatures.every((signature) => signature !== ''))
  },
}

export const thinking = [structured, reasoning]
