import { expect, test } from 'vitest'

import { formOf, parse, type Written } from './forms.ts'

function filenameOf(parameters: string): string | undefined {
  const head = `Content-Disposition: form-data; name="image"; ${parameters}`
  return parse([formOf([{ head }])]).parts[0]?.filename
}

test.each([
  ['plain', 'filename="a.png"', 'a.png'],
  ['without quotes', 'filename=a.png', 'a.png'],
  ['with quotes as browsers write them', 'filename="b %22q%22 é.png"', 'b "q" é.png'],
  ['with quotes as others write them', String.raw`filename="b \"q\".png"`, 'b "q".png'],
  ['with a semicolon', 'filename="a;b.png"', 'a;b.png'],
  ['with a path', 'filename="/home/me/a.png"', 'a.png'],
  ['with a path of Windows', String.raw`filename="C:\pictures\a.png"`, 'a.png'],
  ['encoded by RFC 8187', `filename*=UTF-8'en'na%C3%AFve%20.png`, 'naïve .png'],
  ['in both spellings', `filename="a.png"; filename*=utf-8''%E2%82%AC.png`, '€.png'],
  ['with a percent sign', 'filename="50%.png"', '50%.png'],
  ['empty', 'filename=""', ''],
])('a file name %s', (_, parameters, expected) => {
  expect(filenameOf(parameters)).toBe(expected)
})

test('header names and parameters are found in any case', () => {
  const head =
    'CONTENT-TYPE: image/png\r\ncontent-disposition:form-data;NAME=image;FileName="a.png"'
  const [part] = parse([formOf([{ head }])]).parts
  expect(part).toMatchObject({ name: 'image', filename: 'a.png', type: 'image/png' })
})

test('the first text of a name is the one that is told; files are no texts', () => {
  const { texts } = parse([
    formOf([
      { name: 'user', filename: 'user.txt', content: 'a file' },
      { name: 'user', content: 'first' },
      { name: 'user', content: 'second' },
    ]),
  ])
  expect(texts.get('user')).toBe('first')
  expect(texts.get('nobody')).toBeUndefined()
})

test.each(['__proto__', 'constructor', 'toString'])('a part may be called %s', (name) => {
  const { texts, parts } = parse([formOf([{ name, content: 'x' }])])
  expect(texts.get(name)).toBe('x')
  expect(parts[0]?.name).toBe(name)
})

const model: Written = { name: 'model', content: 'm' }

test.each(['model', 'stream', 'previous_response_id'])('`%s` stands once', (name) => {
  const body = formOf([{ name, content: 'a' }, { name: 'prompt' }, { name, content: 'a' }])
  expect(() => parse([body])).toThrow(
    expect.objectContaining({ status: 400, code: 'duplicate_parameter', param: name }),
  )
})

test.each([
  ['in capitals', 'Model'],
  ['with blanks', ' model '],
  ['percent-encoded', '%6dodel'],
  ['with an encoded line break', 'model%0D'],
  ['as a list', 'model[]'],
  ['as a member', 'model[0]'],
  ['with a backslash', String.raw`mo\del`],
])('`model` in disguise, %s, is refused', (_, name) => {
  const body = formOf([model, { name, content: 'other' }])
  expect(() => parse([body])).toThrow(expect.objectContaining({ status: 400, param: 'model' }))
})

test('`model` as a file is refused', () => {
  const body = formOf([{ name: 'model', filename: 'model.txt', content: 'm' }])
  expect(() => parse([body])).toThrow(expect.objectContaining({ status: 400, param: 'model' }))
})

test('a name that only resembles it is not', () => {
  const names = ['model_version', 'models', 'upstream', 'metadata[model]']
  expect(parse([formOf(names.map((name) => ({ name })))]).parts).toHaveLength(4)
})
