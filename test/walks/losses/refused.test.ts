import { describe, expect, test } from 'vitest'

import { ask } from '../streams/asking.ts'
import { form, type FormName } from '../streams/forms.ts'
import { startMixed } from './mixed.ts'

interface Case {
  readonly client: keyof typeof words
  readonly account: FormName
  readonly field: string
  readonly fields: Record<string, unknown>
}

/** What only the client's own dialect can do. */
const hosted: readonly Case[] = [
  {
    client: 'responses',
    account: 'chat',
    field: 'tools[0]',
    fields: { tools: [{ type: 'web_search' }] },
  },
  { client: 'chat', account: 'messages', field: 'n', fields: { n: 2 } },
  {
    client: 'messages',
    account: 'generate',
    field: 'tools[0]',
    fields: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  },
  {
    client: 'generate',
    account: 'responses',
    field: 'tools[0].googleSearch',
    fields: { tools: [{ googleSearch: {} }] },
  },
]

/** The error object, of whichever envelope. */
async function errorOf(response: Response): Promise<Record<string, unknown>> {
  return ((await response.json()) as { error: Record<string, unknown> }).error
}

describe.each(hosted)(
  'a $client client that asks for $field',
  ({ client, account, field, fields }) => {
    test.each([{ stream: true }, { stream: false }])(
      'is told that no account can be asked for it, and none was (stream: $stream)',
      async ({ stream }) => {
        await using mixed = await startMixed({ foreign: { form: form[account] } })

        const response = await ask(mixed.gateway, form[client], { stream, fields })

        expect(response.status).toBe(400)
        expect(response.headers.get('content-type')).toMatch(/^application\/json/)
        const error = await errorOf(response)
        expect(error['code']).toBe(400)
        expect(error['message']).toContain(`\`${field}\``)
        expect(error).toMatchObject(words[client])
        expect(mixed.accounts.foreign.requests).toHaveLength(0)
        expect(response.headers.has('x-dragoman-account')).toBe(false)
        expect((await mixed.gateway.logged(1))[0]).toMatchObject({
          status: 400,
          error_type: 'invalid_value',
          attempts: 0,
        })
      },
    )
  },
)

/** How each dialect says that the request is wrong. */
const words: Record<Exclude<FormName, 'generate-array'>, object> = {
  responses: { type: 'invalid_request_error' },
  chat: { type: 'invalid_request_error' },
  messages: { type: 'invalid_request_error' },
  generate: { status: 'INVALID_ARGUMENT' },
}
