import { describe, expect, test } from 'vitest'

import { bodyOf, startMixed } from '../losses/mixed.ts'
import { ask, receive } from '../streams/asking.ts'
import { form, type FormName } from '../streams/forms.ts'
import { rewriting } from './guardrails.ts'

const plugins = [rewriting('Hello', 'Hi')]

/** What only the dialect itself has a word for. */
const special: readonly { name: FormName; fields: Record<string, unknown> }[] = [
  { name: 'responses', fields: { tools: [{ type: 'web_search' }], truncation: 'auto' } },
  { name: 'chat', fields: { logit_bias: { '42': 5 }, web_search_options: {} } },
  {
    name: 'messages',
    fields: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  },
  { name: 'generate', fields: { tools: [{ googleSearch: {} }] } },
]

describe.each(special)(
  'a $name client before an account of its own dialect',
  ({ name, fields }) => {
    test.each([{ stream: true }, { stream: false }])(
      'may ask for what only that can do, guardrail or not (stream: $stream)',
      async ({ stream }) => {
        await using mixed = await startMixed({ own: { form: form[name] } }, { plugins })

        const response = await ask(mixed.gateway, form[name], { stream, fields })
        const { text } = await receive(response)

        expect(text).toContain('Hi')
        expect(response.status).toBe(200)
        expect(response.headers.has('x-dragoman-losses')).toBe(false)
        expect(bodyOf(mixed.accounts.own)).toMatchObject(fields)
      },
    )
  },
)
