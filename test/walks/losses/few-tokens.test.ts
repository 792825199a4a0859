import { expect, test } from 'vitest'

import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { bodyOf, startMixed } from './mixed.ts'
import { errorIn } from './pairs.ts'

/** An account that speaks Responses refuses less than 16; agents probe quotas with 1. */
const cases = [
  { client: form.messages, field: 'max_tokens', limited: (most: number) => ({ max_tokens: most }) },
  { client: form.chat, field: 'max_tokens', limited: (most: number) => ({ max_tokens: most }) },
  {
    client: form.chat,
    field: 'max_completion_tokens',
    limited: (most: number) => ({ max_completion_tokens: most }),
  },
  {
    client: form.generate,
    field: 'generationConfig.maxOutputTokens',
    limited: (most: number) => ({ generationConfig: { maxOutputTokens: most } }),
  },
] as const

test.each(cases)(
  'a $client.name client whose $field is 1 gets an answer, and is told that more was asked',
  async ({ client, field, limited }) => {
    await using mixed = await startMixed({ foreign: { form: form.responses } })

    const response = await ask(mixed.gateway, client, { stream: false, fields: limited(1) })

    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-losses')).toBe(field)
    expect(bodyOf(mixed.accounts.foreign)).toMatchObject({ max_output_tokens: 16 })
  },
)

test.each(cases)(
  'a $client.name client whose $field is 16 loses nothing',
  async ({ client, limited }) => {
    await using mixed = await startMixed({ foreign: { form: form.responses } })

    const response = await ask(mixed.gateway, client, { stream: false, fields: limited(16) })

    expect(response.status).toBe(200)
    expect(response.headers.has('x-dragoman-losses')).toBe(false)
    expect(bodyOf(mixed.accounts.foreign)).toMatchObject({ max_output_tokens: 16 })
  },
)

test.each(cases)(
  'a $client.name client that wants nothing changed is refused, by the name of $field',
  async ({ client, field, limited }) => {
    await using mixed = await startMixed(
      { foreign: { form: form.responses } },
      { losses: 'reject' },
    )

    const response = await ask(mixed.gateway, client, { stream: false, fields: limited(1) })

    expect(response.status).toBe(400)
    expect(errorIn(client, await response.text())['message']).toContain(
      `\`${field}\`: the Responses API requires at least 16; ask for 16 or more, `,
    )
    expect(mixed.accounts.foreign.requests).toHaveLength(0)
  },
)
