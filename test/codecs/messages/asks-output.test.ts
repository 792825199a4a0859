import { describe, expect, it } from 'vitest'

import { write } from './codec.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, format: 'uuid' },
    mail: { type: 'string', format: 'idn-email', description: 'Where to write.' },
    kin: { oneOf: [{ type: 'null' }, { $ref: '#/$defs/person' }] },
  },
  required: ['name'],
  $defs: { person: { type: 'object', properties: { age: { type: 'number', maximum: 150 } } } },
}

const tree = {
  type: 'object',
  properties: { children: { type: 'array', items: { $ref: '#' } } },
}

describe('an account that is to answer in JSON', () => {
  it('is held to the schema, without the keywords that it refuses', () => {
    const body = write({ output: { kind: 'schema', schema, description: 'A person.' } })
    expect(body.output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          description: 'A person.',
          type: 'object',
          properties: {
            name: { type: 'string', format: 'uuid', description: 'Demanded: minLength: 2.' },
            mail: { type: 'string', description: 'Where to write.\nDemanded: format: idn-email.' },
            kin: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/person' }] },
          },
          required: ['name'],
          additionalProperties: false,
          $defs: {
            person: {
              type: 'object',
              properties: { age: { type: 'number', description: 'Demanded: maximum: 150.' } },
              additionalProperties: false,
            },
          },
        },
      },
    })
    expect(body.system).toBeUndefined()
  })

  it.each([
    ['a schema that refers to itself', tree, 'claude-sonnet-4-5'],
    ['a model that cannot be held to one', schema, 'claude-3-7-sonnet-20250219'],
  ])('is asked in words for %s', (_, wanted, model) => {
    const body = write({ output: { kind: 'schema', schema: wanted } }, model)
    expect(body.output_config).toBeUndefined()
    expect(body.system).toEqual([
      { type: 'text', text: expect.stringContaining(JSON.stringify(wanted)) },
    ])
  })

  it('goes on from a begun answer rather than being held to a schema', () => {
    const body = write({
      output: { kind: 'schema', schema },
      fields: { assistant_prefill: 'messages' },
      turns: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content: [{ type: 'text', text: '{' }] },
      ],
    })
    expect(body.output_config).toBeUndefined()
    expect(body.messages.at(-1)?.role).toBe('assistant')
  })

  it('is asked in words for JSON of any form, after what the client tells it', () => {
    const body = write({
      output: { kind: 'json' },
      turns: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      ],
    })
    expect(body.system).toEqual([
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Answer with a JSON object and nothing else.' },
    ])
  })
})
