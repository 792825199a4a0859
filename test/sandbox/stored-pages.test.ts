import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import { noItem, noPrevious, noResponse } from './refusals.ts'

test('input items are listed as typed clients read them: as parts, with status and defaults', async () => {
  await using sandbox = await startSandbox()
  const { responses } = clientsOf(sandbox).openai
  const image_url = 'data:image/png;base64,AAAA'
  const call = { type: 'function_call' as const, call_id: 'call_1', name: 'f', arguments: '{}' }
  const { id } = await responses.create({
    model: 'm',
    input: [
      { role: 'system', content: 'be nice' },
      { role: 'user', content: [{ type: 'input_image', image_url }] as never },
      { role: 'assistant', content: 'a picture' },
      call,
      { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
    ],
  })
  const { data } = await responses.inputItems.list(id, { order: 'asc' })
  const message = { type: 'message', status: 'completed', id: expect.stringMatching(/^msg_/) }
  const finished = { status: 'completed', id: expect.stringMatching(/^fc_/) }
  expect(data).toEqual([
    { ...message, role: 'system', content: [{ type: 'input_text', text: 'be nice' }] },
    {
      ...message,
      role: 'user',
      content: [{ type: 'input_image', image_url, detail: 'auto' }],
    },
    {
      ...message,
      role: 'assistant',
      content: [{ type: 'output_text', text: 'a picture', annotations: [], logprobs: [] }],
    },
    { ...call, ...finished },
    { type: 'function_call_output', call_id: 'call_1', output: 'ok', ...finished },
  ])
})

test('the input items of a response are paged forwards and backwards', async () => {
  await using sandbox = await startSandbox()
  const { responses } = clientsOf(sandbox).openai
  const input = ['1', '2', '3', '4', '5'].map((content) => ({ role: 'user' as const, content }))
  const { id } = await responses.create({ model: 'm', input })
  const page = async (query: Record<string, string | number>) => {
    const { data, has_more } = await responses.inputItems.list(id, query)
    return [data.flatMap((item) => ('content' in item ? textsOf(item.content) : [])), has_more]
  }
  const ids = (await responses.inputItems.list(id, { order: 'asc' })).data.map((item) => item.id)
  const [first = '', , third = '', , fifth = ''] = ids

  expect(await page({})).toEqual([['5', '4', '3', '2', '1'], false])
  expect(await page({ limit: 2 })).toEqual([['5', '4'], true])
  expect(await page({ limit: 2, after: third })).toEqual([['2', '1'], false])
  expect(await page({ limit: 1, after: third, order: 'asc' })).toEqual([['4'], true])
  expect(await page({ limit: 1, before: third, order: 'asc' })).toEqual([['2'], true])
  expect(await page({ before: third })).toEqual([['5', '4'], false])
  expect(await page({ after: first, before: fifth, order: 'asc' })).toEqual([
    ['2', '3', '4'],
    false,
  ])
  await expect(page({ after: 'msg_1' })).rejects.toMatchObject(noItem('msg_1'))
})

test('what was not to be stored, or was deleted, is not found by anything', async () => {
  await using sandbox = await startSandbox()
  const { responses } = clientsOf(sandbox).openai
  const deleted = await responses.create({ model: 'm', input: 'hi' })
  const answer = await responses.delete(deleted.id).asResponse()
  expect(await answer.json()).toEqual({ id: deleted.id, object: 'response', deleted: true })
  const notStored = await responses.create({ model: 'm', input: 'hi', store: false })

  for (const { id } of [deleted, notStored]) {
    for (const call of [
      () => responses.retrieve(id),
      () => responses.retrieve(id, { stream: true }),
      () => responses.inputItems.list(id),
      () => responses.cancel(id),
      () => responses.delete(id),
    ]) {
      await expect(call()).rejects.toMatchObject(noResponse(id))
    }
    const next = responses.create({ model: 'm', input: 'on', previous_response_id: id })
    await expect(next).rejects.toMatchObject(noPrevious(id))
  }
})

function textsOf(content: unknown): string[] {
  return (content as { text: string }[]).map(({ text }) => text)
}
