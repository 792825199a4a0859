import { expect, test } from 'vitest'

import { edited } from './edited.ts'

/** One message with this content, in a list with others. */
function input(content: string, role = 'user'): string {
  return `"input":[{"type":"reasoning","summary":[]}, {"role" : "${role}","content": ${content}}]`
}

test('C5: a contract text part becomes input_text', async () => {
  expect(await edited('responses', input('[ {"type" : "text","text":"h\\u0069"} ]'))).toBe(
    input('[ {"type" : "input_text","text":"h\\u0069"} ]'),
  )
})

test('C5: of the assistant it becomes output_text', async () => {
  const text = '[{"text":"hi","type":"text"}]'
  expect(await edited('responses', input(text, 'assistant'))).toBe(
    input('[{"text":"hi","type":"output_text"}]', 'assistant'),
  )
})

test.each(['system', 'developer'])('C5: of role %s it becomes input_text', async (role) => {
  expect(await edited('responses', input('[{"type":"text","text":"hi"}]', role))).toBe(
    input('[{"type":"input_text","text":"hi"}]', role),
  )
})

test('C5: a contract image becomes input_image with a plain URL', async () => {
  const image = '[{"type":"image_url","image_url":{ "url" : "https:\\/\\/x\\/y.png" }}]'
  expect(await edited('responses', input(image))).toBe(
    input('[{"type":"input_image","image_url":"https:\\/\\/x\\/y.png"}]'),
  )
})

test('C5: its detail comes to stand beside the URL', async () => {
  const image = '[{"type":"image_url","image_url":{"detail":"low","url":"https://x/y.png"},"a":1}]'
  const wanted = [{ type: 'input_image', image_url: 'https://x/y.png', detail: 'low', a: 1 }]
  const received = await edited('responses', input(image))
  expect(JSON.parse(`{${received}}`)).toMatchObject({ input: [{}, { content: wanted }] })
})

test('C5: a bare string for the URL is tolerated', async () => {
  expect(await edited('responses', input('[{"image_url":"https://x","type":"image_url"}]'))).toBe(
    input('[{"image_url":"https://x","type":"input_image"}]'),
  )
})

test('C5: both in one message, next to the provider’s own parts', async () => {
  const mixed =
    '[{"type":"input_text","text":"a"},{"type":"text","text":"b"},' +
    '{"type":"image_url","image_url":{"url":"https://x"}},{"type":"input_file","file_id":"f"}]'
  const wanted =
    '[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"},' +
    '{"type":"input_image","image_url":"https://x"},{"type":"input_file","file_id":"f"}]'
  expect(await edited('responses', input(mixed))).toBe(input(wanted))
})

test('parts that only look like it stay as they are', async () => {
  for (const content of [
    '"a string that says \\"type\\":\\"text\\""',
    '[{"type":"input_text","text":"{\\"type\\":\\"text\\"}"}]',
    '[{"type":"input_image","image_url":"https://x","detail":"low"}]',
  ]) {
    expect(await edited('responses', input(content))).toBe(input(content))
  }
})

test('the tools and formats that say text are no parts', async () => {
  const members = '"input":"hi","text":{"format":{"type":"text"}},"metadata":{"type":"text"}'
  expect(await edited('responses', members)).toBe(members)
})

test('outputs of tools are no messages', async () => {
  const output = '[{"type":"function_call_output","call_id":"c","output":[{"type":"text"}]}]'
  expect(await edited('responses', `"input":${output}`)).toBe(`"input":${output}`)
})
