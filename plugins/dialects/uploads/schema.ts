/** JSON Schema of the request, for `openapi.json`. */
export const requestSchema = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string', description: 'Target file path, relative: `images/cat.png`' },
    storage_provider: { type: 'string', description: 'A provider code, such as `local` or `s3`' },
    region: { type: 'string' },
    content_type: { type: 'string', description: 'Media type of the file' },
    size: { type: 'integer', minimum: 0, description: 'Size of the file in bytes' },
    overwrite: { type: 'boolean', default: false },
  },
}

/** JSON Schema of the upload descriptor. */
export const replySchema = {
  type: 'object',
  required: ['upload_url', 'method', 'path', 'visit_url'],
  properties: {
    upload_url: { type: 'string', format: 'uri' },
    method: { type: 'string', const: 'PUT' },
    path: { type: 'string', description: '`<scheme>://...`, for use in other operations' },
    visit_url: { type: 'string', format: 'uri' },
    headers: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Headers that the upload request must send',
    },
  },
}
