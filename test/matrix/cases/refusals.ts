import assert from 'node:assert/strict'

import type { AccountName, DialectName } from '../dialects.ts'
import type { Case } from './case.ts'

const refused = 'The sandbox refuses, as directed.'
const blocked = 'The prompt was blocked: SAFETY.'

interface Heard {
  readonly text: string
  readonly refusal: string
  readonly ending: string
}

const said = (text: string, ending: string): Heard => ({ text, refusal: '', ending })
const refusing = (refusal: string, ending: string): Heard => ({ text: '', refusal, ending })

/**
 * How clients hear that an account refuses. OpenAI's models end as usual and say so in a field of
 * its own, Claude ends with a reason of its own, Gemini blocks the question and says nothing, and a guardrail of Bedrock answers in place of the model.
 */
const heard: Readonly<Record<DialectName, Readonly<Record<AccountName, Heard>>>> = {
  responses: {
    responses: refusing(refused, 'completed'),
    chat: refusing(refused, 'completed'),
    messages: said(refused, 'content_filter'),
    generate: refusing(blocked, 'content_filter'),
    converse: said(refused, 'content_filter'),
  },
  chat: {
    responses: refusing(refused, 'stop'),
    chat: refusing(refused, 'stop'),
    messages: {
      text: refused,
      refusal: 'The model refused to answer.',
      ending: 'content_filter',
    },
    generate: refusing(blocked, 'content_filter'),
    converse: said(refused, 'content_filter'),
  },
  messages: {
    responses: refusing(refused, 'refusal'),
    chat: refusing(refused, 'refusal'),
    messages: refusing(refused, 'refusal'),
    generate: refusing(blocked, 'refusal'),
    converse: refusing(refused, 'refusal'),
  },
  generate: {
    responses: said(refused, 'SAFETY'),
    chat: said(refused, 'SAFETY'),
    messages: said(refused, 'SAFETY'),
    generate: said('', 'SAFETY'),
    converse: said(refused, 'SAFETY'),
  },
}

const refusal: Case = {
  name: 'refusal',
  upstream: 'refuse',
  settings: {},
  turns: [[{ text: 'Do it.' }]],
  check({ client, account, replies }) {
    assert.deepEqual(replies, [
      { reasoning: '', calls: [], usage: { input: 2, output: 5 }, ...heard[client][account] },
    ])
  },
}

export const refusals = [refusal]
