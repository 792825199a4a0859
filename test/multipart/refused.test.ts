import { expect, test } from 'vitest'

import { boundaryOf } from '../../src/body/form/boundary.ts'
import { boundary, formOf, parse, singly, type Written } from './forms.ts'

const prompt: Written = { name: 'prompt', content: 'a cat' }
const disposition = 'Content-Disposition: form-data; name="prompt"'
const whole = formOf([prompt]).toString()

const broken: Record<string, string> = {
  'no bytes at all': '',
  'no boundary': 'prompt=a+cat',
  'another boundary': formOf([prompt], 'another').toString(),
  'no parts': `--${boundary}--\r\n`,
  'no closing boundary': whole.slice(0, -boundary.length - 6),
  'half a closing boundary': whole.slice(0, -3),
  'a part that breaks off': whole.slice(0, whole.indexOf('cat')),
  'headers that break off': whole.slice(0, whole.indexOf('name=')),
  'lines that end with LF': whole.replaceAll('\r\n', '\n'),
  'a boundary after LF alone': whole.replace('a cat', `a cat\n--${boundary}\r\n`),
  'a boundary after CR alone': whole.replace('a cat', `a cat\r--${boundary}\r\n`),
  'a boundary that goes on': whole.replace('a cat', `a cat\r\n--${boundary}er\r\n`),
  'a closing boundary that goes on': whole.replace(`${boundary}--`, `${boundary}--more`),
  'a boundary with much after it': whole.replace('\r\n', `${' '.repeat(200)}\r\n`),
  'a part after the end': whole + whole,
  'a boundary in the preamble that begins no line': `x${formOf([prompt, prompt]).toString()}`,
  'a boundary in a header': whole.replace('name=', `x="--${boundary}"; name=`),
  'a part without an empty line': whole.replace('a cat\r\n', ''),
}

test.each(Object.entries(broken))('%s: the form is refused, however it is cut', (_, body) => {
  for (const chunks of [[Buffer.from(body)], singly(Buffer.from(body))]) {
    expect(() => parse(chunks)).toThrow(expect.objectContaining({ status: 400 }))
  }
})

const heads: Record<string, string> = {
  'no headers': '',
  'no disposition': 'Content-Type: text/plain',
  'two dispositions': `${disposition}\r\n${disposition}`,
  'a disposition that is no form-data': disposition.replace('form-data', 'attachment'),
  'no name': 'Content-Disposition: form-data',
  'an empty name': 'Content-Disposition: form-data; name=""',
  'a name with a blank and no quotes': 'Content-Disposition: form-data; name=pro mpt',
  'two names': `${disposition}; name="model"`,
  'a name in two spellings': `${disposition}; name*=UTF-8''model`,
  'a name that does not end': 'Content-Disposition: form-data; name="prompt',
  'words after a name': `${disposition} and more`,
  'a header without a colon': `${disposition}\r\nhello`,
  'a header with a blank before its colon': `${disposition}\r\nContent-Type : text/plain`,
  'a header over two lines': 'Content-Disposition: form-data;\r\n name="prompt"',
  'a header with a control character': `${disposition}\r\nX-A: a\0b`,
  'a header with CR alone': `${disposition}\r\nX-A: a\rContent-Type: text/plain`,
  'a text in another encoding': `${disposition}\r\nContent-Type: text/plain; charset=utf-16`,
  'a text in an unknown encoding': `${disposition}\r\nContent-Type: text/plain; charset=x-klingon`,
  'a part that is encoded': `${disposition}\r\nContent-Transfer-Encoding: base64`,
  'a file name in an unknown encoding': `${disposition}; filename*=x-klingon''a.png`,
  'a file name that is badly encoded': `${disposition}; filename*=UTF-8''%E9.png`,
  'too many headers': `${disposition}\r\n${Array.from({ length: 40 }, (_, index) => `X-${index}: a`).join('\r\n')}`,
}

test.each(Object.entries(heads))('a part with %s is refused', (_, head) => {
  const body = formOf([{ head, content: 'a cat' }])
  for (const chunks of [[body], singly(body)]) {
    expect(() => parse(chunks)).toThrow(expect.objectContaining({ status: 400 }))
  }
})

test('a text that is no UTF-8 is refused, and a part that says so of all texts', () => {
  const latin1 = formOf([{ name: 'prompt', content: Buffer.from('Käse', 'latin1') }])
  expect(() => parse([latin1])).toThrow('`prompt` of the form is not valid UTF-8')
  const said = formOf([{ name: '_charset_', content: 'iso-8859-1' }, prompt])
  expect(() => parse([said])).toThrow('must be in UTF-8')
  expect(parse([formOf([{ name: '_charset_', content: 'UTF-8' }, prompt])]).parts).toHaveLength(2)
})

test('a boundary is read with and without quotes, and after other parameters', () => {
  expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc')
  expect(boundaryOf('Multipart/Form-Data; charset=utf-8; BOUNDARY="a b:c=?"; ')).toBe('a b:c=?')
  expect(boundaryOf('multipart/form-data;boundary=====7==  ')).toBe('====7==')
})

test.each([
  ['none', 'multipart/form-data'],
  ['an empty one', 'multipart/form-data; boundary='],
  ['two', 'multipart/form-data; boundary=a; boundary=b'],
  ['one that ends with a blank', 'multipart/form-data; boundary="a "'],
  ['one that is too long', `multipart/form-data; boundary=${'a'.repeat(71)}`],
  ['one with characters that none may have', 'multipart/form-data; boundary="a<b"'],
  ['an unknown charset beside it', 'multipart/form-data; charset=utf-16; boundary=a'],
])('a content type with %s for a boundary is refused', (_, contentType) => {
  expect(() => boundaryOf(contentType)).toThrow(expect.objectContaining({ status: 400 }))
})

test('a body of parts that is no form is another media type', () => {
  expect(() => boundaryOf('multipart/mixed; boundary=a')).toThrow(
    expect.objectContaining({ status: 415 }),
  )
})
