import { isObject } from '../../json.ts'
import {
  type Members,
  type ObjectSpec,
  type Shape,
  anything,
  choice,
  list,
  number,
  object,
  string,
  stringOr,
  variants,
} from '../../shape.ts'
import { inputParts, outputParts, reasoningParts, summaryParts } from './part-shapes.ts'

const status = choice('in_progress', 'completed', 'incomplete')

const callId = string({ min: 1, max: 64 })

// Undocumented, but Codex sends it to OpenAI, which validates its members.
const codexMetadata: Members = {
  internal_chat_message_metadata_passthrough: object({
    optional: {
      turn_id: string(),
      create_time: number(),
      content_item_kinds: list(string()),
    },
  }),
}

const inputMessage: ObjectSpec = {
  required: { content: stringOr(inputParts) },
  optional: {
    ...codexMetadata,
    type: anything,
    id: string({ pattern: /^msg/ }),
    status,
  },
}

const message = variants('role', {
  user: inputMessage,
  system: inputMessage,
  developer: inputMessage,
  assistant: {
    required: { content: stringOr(outputParts) },
    optional: {
      ...inputMessage.optional,
      phase: choice('commentary', 'final_answer'),
    },
  },
})

const callExtras: Members = {
  ...codexMetadata,
  status,
  namespace: string(),
  async: anything,
  caller: anything,
  created_by: anything,
}

const output: Members = { output: stringOr(inputParts) }

const hosted = (...required: string[]): ObjectSpec => ({
  required: Object.fromEntries(required.map((key) => [key, anything])),
  open: true,
})

const otherItems = variants('type', {
  item_reference: { required: { id: string({ min: 1 }) } },
  reasoning: {
    required: { id: string({ pattern: /^rs/ }), summary: summaryParts },
    optional: {
      ...codexMetadata,
      // OpenAI's replies lack it; clients that store items in types of their own send null.
      content: reasoningParts,
      encrypted_content: string(),
      status,
    },
  },
  function_call: {
    required: { call_id: callId, name: string({ min: 1 }), arguments: string() },
    optional: { ...callExtras, id: string({ pattern: /^fc/ }) },
  },
  function_call_output: {
    required: { call_id: callId, ...output },
    optional: { ...callExtras, id: string({ pattern: /^fc/ }), name: string() },
  },
  custom_tool_call: {
    required: { call_id: callId, name: string({ min: 1 }), input: string() },
    optional: { ...callExtras, id: string({ pattern: /^ctc/ }) },
  },
  custom_tool_call_output: {
    required: { call_id: callId, ...output },
    optional: { ...callExtras, id: string({ pattern: /^ctc/ }) },
  },
  additional_tools: hosted('role', 'tools'),
  apply_patch_call: hosted('call_id', 'operation', 'status'),
  apply_patch_call_output: hosted('call_id', 'status'),
  code_interpreter_call: hosted('id', 'code', 'container_id', 'outputs', 'status'),
  compaction: hosted('encrypted_content'),
  compaction_trigger: hosted(),
  computer_call: hosted('id', 'call_id', 'pending_safety_checks', 'status'),
  computer_call_output: hosted('call_id', 'output'),
  configuration_update: hosted(),
  file_search_call: hosted('id', 'queries', 'status'),
  image_generation_call: hosted('id', 'result', 'status'),
  local_shell_call: hosted('id', 'call_id', 'action', 'status'),
  local_shell_call_output: hosted('id', 'output'),
  mcp_approval_request: hosted('id', 'server_label', 'name', 'arguments'),
  mcp_approval_response: hosted('approval_request_id', 'approve'),
  mcp_call: hosted('id', 'server_label', 'name', 'arguments'),
  mcp_list_tools: hosted('id', 'server_label', 'tools'),
  program: hosted('id', 'call_id', 'code', 'fingerprint'),
  program_output: hosted('id', 'call_id', 'result', 'status'),
  shell_call: hosted('call_id', 'action'),
  shell_call_output: hosted('call_id', 'output'),
  tool_search_call: hosted('arguments', 'execution'),
  tool_search_output: hosted('tools'),
  web_search_call: hosted('id', 'status', 'action'),
})

const untypedReference = object({
  required: { id: string({ min: 1 }) },
  optional: { type: anything },
})

/** An input item. Without a type it is a message, or a reference if it has no role either. */
export const inputItem: Shape = (value, path) => {
  const type = isObject(value) ? (value['type'] ?? undefined) : undefined
  const isMessage = !isObject(value) || 'role' in value || !('id' in value)
  if (type === 'message' || (type === undefined && isMessage)) message(value, path)
  else if (type === undefined) untypedReference(value, path)
  else otherItems(value, path)
}

/** The items of `input`. */
export const inputItems = list(inputItem)
