import { expect, test } from 'vitest'

import { decode, encodedResult } from './codec.ts'
import { reply } from './replies.ts'

const exec = { type: 'custom', name: 'exec' }
const wait = { type: 'function', name: 'wait', parameters: { type: 'object', properties: {} } }
const functions = { type: 'namespace', name: 'functions', description: '', tools: [exec, wait] }

/** The first item of a coding agent that brings its tools in its input. */
function added(...tools: object[]) {
  return { type: 'additional_tools', id: 'at_1', role: 'developer', tools }
}

const question = { type: 'message', role: 'user', content: 'hi' }

test('tools that an item of the input brings are tools of the request', () => {
  const { tools, turns, extras, fields } = decode({ input: [added(functions), question] })
  expect(tools).toEqual([
    { kind: 'custom', name: 'functions__exec' },
    { kind: 'function', name: 'functions__wait', parameters: wait.parameters },
  ])
  expect(turns).toEqual([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }])
  expect(extras).toEqual([])
  expect(fields).toEqual({ custom_tools: 'input[0].tools[0].tools[0]' })
})

test('they follow the tools of the request itself, and take the place of one with their name', () => {
  const older = { type: 'function', name: 'wait', description: 'older' }
  const newer = { ...older, description: 'newer' }
  const look = { type: 'function', name: 'look' }
  const { tools } = decode({ tools: [older, look], input: [question, added(newer)] })
  expect(tools).toEqual([
    { kind: 'function', name: 'look' },
    { kind: 'function', name: 'wait', description: 'newer' },
  ])
})

test('a hosted tool among them is named by its place', () => {
  const { extras } = decode({ input: [question, added({ type: 'web_search' })] })
  expect(extras).toMatchObject([{ field: 'input[1].tools[0]', treatment: 'native' }])
})

test('their calls reach the client under the namespace that it knows them by', () => {
  const call = { type: 'tool_call', id: 'c', kind: 'custom', arguments: 'x' } as const
  const { body } = encodedResult(reply([{ ...call, name: 'functions__exec' }]), {
    input: [added(functions), question],
  })
  expect(body.output).toMatchObject([
    { type: 'custom_tool_call', call_id: 'c', name: 'exec', namespace: 'functions', input: 'x' },
  ])
})
