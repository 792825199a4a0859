import { expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { answerJson } from '../../../src/testing/fake-account.ts'
import { type DialectName, dialectNames, dialects } from '../../requests/dialects.ts'
import { accountsAt, startService } from '../../requests/service.ts'

const upstream = 'sandbox/words=30'

/** All names of models in the replies of a client, JSON and streamed, to an account of a dialect. */
async function namesFor(client: DialectName, account: DialectName, replyModel?: 'client') {
  await using sandbox = await startSandbox()
  await using gateway = await createTestGateway({
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        speaks: [account],
        models: { platform: upstream },
      },
    ],
    aliases: { mine: replyModel ? { model: 'platform', replyModel } : 'platform' },
  })
  const { path, request, credential } = dialects[client]
  const names = [false, true].map(async (stream) => {
    const verb = stream ? ':streamGenerateContent?alt=sse' : ':generateContent'
    const place = client === 'generate' ? `/v1beta/models/mine${verb}` : path
    const fields = client === 'generate' ? {} : { model: 'mine', stream, max_tokens: 100 }
    const response = await fetch(gateway.url + place, {
      method: 'POST',
      headers: { ...credential(gateway.key), 'content-type': 'application/json' },
      body: JSON.stringify({
        ...request,
        ...(client === 'responses' ? { model: 'mine', stream } : fields),
      }),
    })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    return [...text.matchAll(/"model(?:Version)?":\s?"([^"]*)"/g)].map(([, name]) => name)
  })
  const [json = [], stream = []] = await Promise.all(names)
  expect(json).toHaveLength(1)
  expect(stream.length).toBeGreaterThan(0)
  return [...new Set([...json, ...stream])]
}

const pairs = dialectNames.flatMap((client) =>
  dialectNames.map((account) => [client, account] as const),
)

test.each(dailyRows(pairs))(
  'a %s client on a %s account reads the model that the account reports, native or translated',
  async (client, account) => {
    expect(await namesFor(client, account)).toEqual([upstream])
  },
)

test.each(dailyRows(pairs))(
  'a %s client on a %s account reads the name it asked for, where its alias says so',
  async (client, account) => {
    expect(await namesFor(client, account, 'client')).toEqual(['mine'])
  },
)

test.each(['responses', 'messages', 'generate'] as const)(
  'a %s client reads the version that a Chat account reports, else the name that the account has',
  async (client) => {
    for (const [reported, shown] of [
      [{ model: 'm-2026-11-20' }, 'm-2026-11-20'],
      [{ model: '' }, 'own-name'],
      [{ model: undefined }, 'own-name'],
    ]) {
      const answer = answerJson({ ...dialects.chat.reply, ...(reported as object) })
      await using service = await startService({}, answer)
      const [openai] = accountsAt(service.upstream.url, { m: 'own-name' })
      service.gateway.reload({ accounts: [{ ...openai!, speaks: ['chat'] }] })
      const reply = (await (await service.ask(client)).json()) as Record<string, unknown>
      expect(reply[client === 'generate' ? 'modelVersion' : 'model']).toBe(shown)
    }
  },
)
