import OpenAI from 'openai-7'
import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { tools } from './conversation.ts'
import { historyIn } from './history.ts'
import { model, type Spoken } from './stage.ts'

type Response = OpenAI.Responses.Response

/** What tools say to the calls of a response. */
function resultsOf({ output }: Response): OpenAI.Responses.ResponseInputItem[] {
  return output.flatMap((item) => {
    if (item.type !== 'function_call') return []
    return [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'result' }]
  })
}

test('an account that comes to speak Responses gets back what it sealed in a kept conversation', async () => {
  await using sandbox = await startSandbox()
  const accountsFor = (spoken: Spoken) => [
    {
      id: 'a',
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: 'sandbox-key-a',
      speaks: [spoken],
      models: [model],
    },
  ]
  await using gateway = await createTestGateway({ accounts: accountsFor('messages') })
  const baseURL = `${gateway.url}/v1`
  const client = new OpenAI({ apiKey: gateway.key, baseURL, maxRetries: 0 })
  const asked = {
    model,
    reasoning: { effort: 'medium' as const },
    tools: tools.map((tool) => ({ type: 'function' as const, strict: false, ...tool })),
  }
  const goOn = (response: Response) =>
    client.responses.create({
      ...asked,
      input: resultsOf(response),
      previous_response_id: response.id,
    })
  const signaturesTold = () => {
    const last = JSON.parse(sandbox.requests.at(-1)!.body.toString())
    return historyIn('responses', last).signatures
  }

  const first = await client.responses.create({ ...asked, input: 'How is Bern?' })
  gateway.reload({ accounts: accountsFor('responses') })
  const second = await goOn(first)
  expect(signaturesTold()).toEqual([])
  expect((await goOn(second)).output_text).toContain('The tool answered')
  expect(signaturesTold()).toHaveLength(1)
})
