import { expect, test } from 'vitest'

import { contentEdit, headEdit, removeParts } from '../../src/body/form/edits.ts'
import { formOf, parse } from './forms.ts'
import { collect, read } from './reading.ts'

const written = [
  { name: 'image', filename: 'a.png', type: 'application/octet-stream', content: 'a picture' },
  { name: 'prompt', content: '' },
  { name: 'model', content: 'camera' },
]
const forms = {
  'as clients write it': formOf(written),
  'with words before it': Buffer.concat([Buffer.from('A form.\r\n'), formOf(written)]),
  'with blanks after its boundaries': Buffer.from(
    formOf(written).toString().replaceAll('--a-boundary\r\n', '--a-boundary \t\r\n'),
  ),
}

test.each(Object.entries(forms))(
  'parts of a form, %s, get other headers and other contents',
  async (_, body) => {
    using kept = await read([body])
    const { form } = kept
    const [image, prompt, model] = form.parts
    if (!image || !prompt || !model) throw new Error('The form has three parts.')
    const edits = [
      headEdit(form, image, { name: 'image', filename: 'a "b".png', type: 'image/png' }),
      headEdit(form, prompt, { name: 'text' }),
      contentEdit(form, prompt, 'a cat'),
      contentEdit(form, model, 'lens'),
    ]
    const { stream, length } = form.replay(edits)
    const replayed = await collect(stream)
    expect(replayed.length).toBe(length)
    const { parts, texts } = parse([replayed])
    expect(parts).toMatchObject([
      { name: 'image', filename: 'a "b".png', type: 'image/png' },
      { name: 'text', filename: undefined, type: undefined },
      { name: 'model', filename: undefined },
    ])
    const [first] = parts
    expect(replayed.toString('latin1', first?.start, first?.end)).toBe('a picture')
    expect([texts.get('text'), texts.get('model')]).toEqual(['a cat', 'lens'])
  },
)

test.each(Object.entries(forms))('a part is taken out of a form, %s', async (_, body) => {
  for (const { name } of written) {
    using kept = await read([body])
    const replayed = await collect(kept.form.replay(removeParts(kept.form, name)).stream)
    const left = written.filter((part) => part.name !== name)
    expect(parse([replayed]).parts).toMatchObject(left.map((part) => ({ name: part.name })))
  }
})

test('a content that holds the form’s boundary is refused', async () => {
  using kept = await read([formOf(written)])
  const [image] = kept.form.parts
  if (!image) throw new Error('The form has parts.')
  expect(() => contentEdit(kept.form, image, 'x\r\n--a-boundary--')).toThrow(
    'contains the boundary',
  )
})
