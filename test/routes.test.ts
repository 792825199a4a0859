import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { defineDialect } from '../src/contract/dialect.ts'
import { type Operation, defineOperation } from '../src/contract/operation.ts'
import { errorEnvelope } from '../src/kit/error-envelope.ts'
import { createRouter } from '../src/exchange/routes.ts'

function operation(id: string, paths: string[], method: Operation['method'] = 'POST'): Operation {
  const serve = () => ({ status: 200, headers: {}, body: null })
  return defineOperation({ id, method, paths, auth: 'none', summary: id, serve })
}

function routerOf(...operations: Operation[]) {
  const dialect = { id: 'd', credential: () => undefined, error: errorEnvelope, operations }
  return createRouter([defineDialect(dialect)])
}

/** The operation and parameters, or the methods that are allowed there. */
function match(router: ReturnType<typeof createRouter>, method: string, path: string) {
  const found = router.match(method, path)
  return 'allowed' in found
    ? { allowed: found.allowed, ...(found.action && { action: found.action }) }
    : { id: found.route.operation.id, params: found.params }
}

const router = routerOf(
  operation('models', ['/v1/models'], 'GET'),
  operation('model', ['/v1/models/{model+}', '/{version:v1beta|v1alpha}/models/{model+}'], 'GET'),
  operation('remove', ['/v1/models/{model+}'], 'DELETE'),
  operation('one', ['/v1/models/{model+}:one']),
  operation('two', ['/v1/models/{model+}:two']),
  operation('item', ['/v1/things/{thing}/items/{item}']),
  operation('file', ['/v1/files/{owner}/{path*}'], 'PUT'),
)

test('a fixed path is itself and nothing else', () => {
  expect(match(router, 'GET', '/v1/models')).toEqual({ id: 'models', params: {} })
  for (const path of ['/v1/models/', '/v1/modelsx', '/V1/models', '//v1/models', '/v1', '', '*']) {
    expect(match(router, 'GET', path)).toEqual({ allowed: [] })
  }
})

test('a parameter is one segment, decoded', () => {
  expect(match(router, 'POST', '/v1/things/a%20b/items/%C3%A9%2Fx')).toEqual({
    id: 'item',
    params: { thing: 'a b', item: 'é/x' },
  })
  expect(match(router, 'POST', '/v1/things/a/b/items/c')).toEqual({ allowed: [] })
  expect(match(router, 'POST', '/v1/things//items/c')).toEqual({ allowed: [] })
})

test('an id that the gateway made is told from names that have a place beside it', () => {
  const places = routerOf(
    operation('file', ['/v1/files/{file~}', '/v1/files/{file~}:download'], 'GET'),
    operation('upload', ['/v1/files/upload_url']),
    operation('stored', ['/v1/files/stored/{storage}/{path*}'], 'GET'),
  )
  const file = '0mwqj05l9fgc9nof28ckl1y1iyz0x0'
  expect(match(places, 'GET', `/v1/files/${file}`)).toEqual({ id: 'file', params: { file } })
  expect(match(places, 'GET', `/v1/files/${file}:download`)).toEqual({
    id: 'file',
    params: { file },
  })
  expect(match(places, 'GET', '/v1/files/upload_url')).toEqual({ allowed: ['POST'] })
  for (const path of [
    'stored',
    'stored:download',
    'stored%2Fa%2Fb',
    'stored/a',
    'file-AbC',
    'abc',
  ]) {
    expect([path, match(places, 'GET', `/v1/files/${path}`)]).toEqual([path, { allowed: [] }])
  }
  expect(match(places, 'GET', `/v1/files/stored/${file}/a`)).toMatchObject({ id: 'stored' })
})

test('a path is as many segments as there are, none of them empty', () => {
  for (const path of ['a', 'a/b', 'a/b%20c/d.png']) {
    expect(match(router, 'PUT', `/v1/files/me/${path}`)).toEqual({
      id: 'file',
      params: { owner: 'me', path: decodeURIComponent(path) },
    })
  }
  for (const path of ['', '/', '/a', '/a//b', '/a/', '/a/%zz']) {
    expect(match(router, 'PUT', `/v1/files/${path}`)).toEqual({ allowed: [] })
  }
})

test('C15 #12: a model is one segment or two, its slash raw or encoded', () => {
  for (const path of [
    '/v1/models/acme/one',
    '/v1/models/acme%2Fone',
    '/v1beta/models/acme%2fone',
  ]) {
    expect(match(router, 'GET', path)).toMatchObject({ id: 'model', params: { model: 'acme/one' } })
  }
  expect(match(router, 'GET', '/v1/models/one')).toMatchObject({ params: { model: 'one' } })
  for (const path of ['/v1/models/a/b/c', '/v1/models//b', '/v1/models/a/', '/v2/models/a']) {
    expect(match(router, 'GET', path)).toEqual({ allowed: [] })
  }
})

test('what a parameter decodes to stays what it is', () => {
  expect(match(router, 'GET', '/v1/models/a%252Fb')).toMatchObject({ params: { model: 'a%2Fb' } })
  expect(match(router, 'GET', '/v1/models/a+b')).toMatchObject({ params: { model: 'a+b' } })
})

test('the verb stands after the last colon', () => {
  expect(match(router, 'POST', '/v1/models/m:one')).toMatchObject({ id: 'one' })
  expect(match(router, 'POST', '/v1/models/pub/m:free@1%20x:two')).toEqual({
    id: 'two',
    params: { model: 'pub/m:free@1 x' },
  })
  expect(match(router, 'POST', '/v1/models/m:one:two')).toMatchObject({
    id: 'two',
    params: { model: 'm:one' },
  })
  expect(match(router, 'POST', '/v1/models/:one')).toEqual({ allowed: ['GET', 'DELETE'] })
})

test('a verb that nobody has is told beside those that there are', () => {
  const action = { name: 'other', known: ['one', 'two'] }
  for (const path of ['/v1/models/m:other', '/v1/models/pub/m:other', '/v1/models/m:one:other']) {
    expect(match(router, 'POST', path)).toEqual({ allowed: [], action })
  }
  const found = router.match('POST', '/v1/models/m:other')
  expect(found).toMatchObject({ at: { operation: { id: 'one' } } })
  // With other methods it is a part of the model's name.
  expect(match(router, 'GET', '/v1/models/m:other')).toMatchObject({ id: 'model' })
  expect(match(router, 'PUT', '/v1/models/m:other')).toEqual({ allowed: ['GET', 'DELETE'] })
})

test('a place with words of its own is not taken for one that has verbs', () => {
  const mixed = routerOf(
    operation('thing', ['/v1/things/{thing}'], 'GET'),
    operation('verb', ['/v1/{kind}/{name}:verb']),
    { ...operation('hidden', ['/v1/{kind}/{name}:secret']), hidden: true },
  )
  expect(match(mixed, 'POST', '/v1/things/a:b')).toEqual({ allowed: ['GET'] })
  expect(match(mixed, 'POST', '/v1/others/a:b')).toMatchObject({
    action: { name: 'b', known: ['verb'] },
  })
})

test('one of several words is the word and no other', () => {
  expect(match(router, 'GET', '/v1alpha/models/m')).toMatchObject({
    params: { version: 'v1alpha' },
  })
  expect(match(router, 'GET', '/v1alphax/models/m')).toEqual({ allowed: [] })
})

test('where the method is wrong, those that are right are named', () => {
  expect(match(router, 'PUT', '/v1/models')).toEqual({ allowed: ['GET'] })
  expect(match(router, 'PUT', '/v1/models/m')).toEqual({ allowed: ['GET', 'DELETE'] })
  expect(match(router, 'PUT', '/nowhere')).toEqual({ allowed: [] })
})

test('where the method is wrong, the first operation there says whose place it is', () => {
  const placeOf = (method: string, path: string) => {
    const found = router.match(method, path)
    return 'allowed' in found ? found.at?.operation.id : `served by ${found.route.operation.id}`
  }
  expect(placeOf('PUT', '/v1/models')).toBe('models')
  expect(placeOf('PUT', '/v1/models/m')).toBe('model')
  expect(placeOf('DELETE', '/v1beta/models/m:one')).toBe('model')
  expect(placeOf('PUT', '/nowhere')).toBeUndefined()
  expect(placeOf('DELETE', '/v1/models/m')).toBe('served by remove')
})

test('an operation that is hidden is no place of its own', () => {
  const hidden = { ...operation('hidden', ['/a'], 'GET'), hidden: true }
  expect(routerOf(hidden).match('POST', '/a')).toEqual({ allowed: [] })
  const beside = routerOf(hidden, operation('shown', ['/a'], 'PUT')).match('POST', '/a')
  expect(beside).toMatchObject({ allowed: ['PUT'], at: { operation: { id: 'shown' } } })
})

test('a path that encodes nothing is nowhere, with any method', () => {
  for (const segment of ['%', '%zz', '%C3%28']) {
    for (const method of ['GET', 'POST', 'PUT']) {
      expect(match(router, method, `/v1/models/${segment}`)).toEqual({ allowed: [] })
    }
  }
})

test('the first of two operations at one place wins', () => {
  const twice = routerOf(
    operation('first', ['/a', '/x/{p}']),
    operation('second', ['/a', '/x/{q}']),
  )
  expect(match(twice, 'POST', '/a')).toEqual({ id: 'first', params: {} })
  expect(match(twice, 'POST', '/x/1')).toEqual({ id: 'first', params: { p: '1' } })
})

test('signs that mean something in patterns mean themselves in paths', () => {
  const odd = routerOf(operation('odd', ['/a.b+c(d)/{p}$']))
  expect(match(odd, 'POST', '/a.b+c(d)/1$')).toEqual({ id: 'odd', params: { p: '1' } })
  expect(match(odd, 'POST', '/axb+c(d)/1$')).toEqual({ allowed: [] })
})

test('every name comes out as it was encoded, and no path makes the router throw', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[/:]/.test(text))
  fc.assert(
    fc.property(name, name, (publisher, model) => {
      const path = `/v1/models/${encodeURIComponent(publisher)}/${encodeURIComponent(model)}:one`
      const params = { model: `${publisher}/${model}` }
      expect(match(router, 'POST', path)).toEqual({ id: 'one', params })
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      expect(router.match('GET', `/v1/models/${path}`)).toBeDefined()
    }),
  )
})
