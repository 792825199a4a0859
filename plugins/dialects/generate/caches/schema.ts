import { list, object, text } from '../../shared/json-schema.ts'
import { generateSchemas } from '../schema.ts'

const { contents, systemInstruction, tools, toolConfig } = generateSchemas.request.properties

/** Schema of the body of `POST /v1beta/cachedContents`. */
export const cacheRequestSchema = {
  type: 'object',
  required: ['model'],
  additionalProperties: true,
  properties: {
    model: text,
    contents,
    systemInstruction,
    tools,
    toolConfig,
    displayName: text,
    ttl: text,
    expireTime: text,
  },
}

/** Schema of the body of `PATCH /v1beta/cachedContents/{id}`. */
export const cacheChangeSchema = object({ ttl: text, expireTime: text })

/** Schema of a cache. */
export const cacheSchema = {
  ...object({
    name: text,
    model: text,
    displayName: text,
    createTime: text,
    updateTime: text,
    expireTime: text,
    usageMetadata: object({ totalTokenCount: { type: 'integer' } }),
  }),
  required: ['name', 'model'],
}

/** Schema of the reply of `GET /v1beta/cachedContents`. */
export const cacheListSchema = object({ cachedContents: list(cacheSchema), nextPageToken: text })
