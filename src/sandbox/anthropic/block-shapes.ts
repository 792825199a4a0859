import {
  type Members,
  type ObjectSpec,
  anything,
  boolean,
  choice,
  list,
  object,
  string,
  stringOr,
  variants,
} from '../shape.ts'

/** `cache_control`, which all blocks except thinking ones accept. */
export const cacheControl = variants('type', {
  ephemeral: { omittable: { ttl: choice('5m', '1h') } },
})

const cached: Members = { cache_control: cacheControl }

const toolUseId = string({ pattern: /^[a-zA-Z0-9_-]+$/ })

const text: ObjectSpec = {
  required: { text: string({ min: 1 }) },
  optional: { ...cached, citations: list(anything) },
}

const image: ObjectSpec = {
  required: {
    source: variants('type', {
      base64: {
        required: {
          data: string({ min: 1 }),
          media_type: choice('image/jpeg', 'image/png', 'image/gif', 'image/webp'),
        },
      },
      url: { required: { url: string({ pattern: /^https?:\/\// }) } },
      file: { required: { file_id: string() } },
    }),
  },
  optional: { ...cached, transformations: anything },
}

const document: ObjectSpec = {
  required: {
    source: variants('type', {
      base64: { required: { data: string({ min: 1 }), media_type: choice('application/pdf') } },
      text: { required: { data: string(), media_type: choice('text/plain') } },
      content: { required: { content: anything } },
      url: { required: { url: string({ pattern: /^https?:\/\// }) } },
      file: { required: { file_id: string() } },
    }),
  },
  optional: {
    ...cached,
    title: string(),
    context: string(),
    citations: object({ omittable: { enabled: boolean } }),
  },
}

const searchResult: ObjectSpec = {
  required: { source: string(), title: string(), content: list(variants('type', { text })) },
  optional: { ...cached, citations: anything },
}

const resultBlocks = list(
  variants('type', {
    text,
    image,
    document,
    search_result: searchResult,
    tool_reference: { open: true },
    browser_state: { open: true },
  }),
)

const serverResult: ObjectSpec = {
  required: { tool_use_id: toolUseId, content: anything },
  open: true,
}

/** Any content block of a user or assistant message. */
export const contentBlock = variants('type', {
  text,
  image,
  document,
  search_result: searchResult,
  tool_use: {
    required: { id: toolUseId, name: string({ min: 1, max: 200 }), input: object({ open: true }) },
    optional: { ...cached, caller: anything, toolset_name: anything },
  },
  tool_result: {
    required: { tool_use_id: toolUseId },
    optional: { ...cached, is_error: boolean, toolset_name: anything },
    omittable: { content: stringOr(resultBlocks) },
  },
  thinking: { required: { thinking: string(), signature: string() } },
  redacted_thinking: { required: { data: string() } },
  server_tool_use: {
    required: { id: toolUseId, name: string(), input: object({ open: true }) },
    open: true,
  },
  web_search_tool_result: serverResult,
  web_fetch_tool_result: serverResult,
  code_execution_tool_result: serverResult,
  bash_code_execution_tool_result: serverResult,
  text_editor_code_execution_tool_result: serverResult,
  tool_search_tool_result: serverResult,
  container_upload: { required: { file_id: string() }, optional: cached },
  mcp_tool_use: { open: true },
  mcp_tool_result: { open: true },
  compaction: { open: true },
})

/** A list of text blocks, such as a system prompt. */
export const textBlocks = list(variants('type', { text }))
