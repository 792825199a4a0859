import { expect, test } from 'vitest'

import type { LossPolicy } from '../../../src/generate/unsupported.ts'
import { ask } from '../streams/asking.ts'
import { form, type FormName } from '../streams/forms.ts'
import { startMixed } from './mixed.ts'
import { errorIn } from './pairs.ts'

type Case = [
  client: FormName,
  account: FormName,
  losses: LossPolicy,
  fields: Record<string, unknown>,
  message: string,
]

const chatModel = 'use a model of an account that speaks the Chat Completions API'
const geminiModel = 'use a model of an account that speaks the Gemini API'
const messagesModel = 'use a model of an account that speaks the Messages API'
const policy = 'or have the operator set `losses` to `drop`'
const part = (content: object) => ({ contents: [{ role: 'user', parts: [content] }] })

const cases: Case[] = [
  [
    'chat',
    'messages',
    'drop',
    { n: 2 },
    `\`n\`: the Messages API returns one answer to a request; leave it out, or ${chatModel}.`,
  ],
  [
    'chat',
    'responses',
    'drop',
    {
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'It is' },
      ],
    },
    `\`messages\`: the Responses API cannot continue a partial assistant message; leave it out, or ${chatModel}.`,
  ],
  [
    'chat',
    'messages',
    'drop',
    { logprobs: true },
    `\`logprobs\`: the Messages API returns no probabilities of tokens; leave it out, or ${chatModel}.`,
  ],
  [
    'chat',
    'messages',
    'reject',
    { seed: 7 },
    `\`seed\`: the Messages API has no seed; leave it out, ${chatModel}, ${policy}.`,
  ],
  [
    'generate',
    'messages',
    'native',
    { generationConfig: { seed: 7 } },
    `\`generationConfig.seed\`: the Messages API has no seed; leave it out, ${geminiModel}, ${policy}.`,
  ],
  [
    'generate',
    'messages',
    'drop',
    part({ inlineData: { mimeType: 'audio/wav', data: 'UklG' } }),
    `\`contents[0].parts[0].inlineData\`: the Messages API accepts no audio; leave it out, or ${geminiModel}.`,
  ],
  [
    'generate',
    'chat',
    'drop',
    part({ fileData: { fileUri: 'gs://bucket/a.pdf', mimeType: 'application/pdf' } }),
    `\`contents[0].parts[0].fileData.fileUri\`: only the Gemini API reads files from such a URL; ` +
      `leave it out, or ${geminiModel}.`,
  ],
  [
    'messages',
    'chat',
    'native',
    { context_management: { edits: [] } },
    `\`context_management\`: only the Messages API may support it; leave it out, ${messagesModel}, ${policy}.`,
  ],
  [
    'messages',
    'responses',
    'reject',
    { max_tokens: 1 },
    `\`max_tokens\`: the Responses API requires at least 16; ask for 16 or more, ${messagesModel}, ${policy}.`,
  ],
  [
    'messages',
    'chat',
    'drop',
    { max_tokens: 0 },
    `\`max_tokens\`: other dialects accept no limit of 0 tokens; use 1 or more, or ${messagesModel}.`,
  ],
  [
    'chat',
    'messages',
    'reject',
    { temperature: 1.7 },
    `\`temperature\`: the Messages API has no temperature above 1; use 1 or less, ${chatModel}, ${policy}.`,
  ],
  [
    'chat',
    'messages',
    'reject',
    { response_format: { type: 'json_object' } },
    `\`response_format\`: the Messages API has no JSON mode; leave it out, ${chatModel}, ${policy}.`,
  ],
]

test.each(cases)(
  'a %s client on %s under `%s` reads what it can do about %o',
  async (client, account, losses, fields, message) => {
    await using mixed = await startMixed({ foreign: { form: form[account] } }, { losses })

    const response = await ask(mixed.gateway, form[client], { fields })

    expect(response.status).toBe(400)
    expect(errorIn(form[client], await response.text())['message']).toBe(
      `No account supports this request. ${message}`,
    )
    expect(mixed.accounts.foreign.requests).toHaveLength(0)
  },
)
