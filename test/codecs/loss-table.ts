import type { Feature, Treatment } from '../../src/generate/unsupported.ts'

/**
 * What clients of one dialect can ask for and accounts of another cannot: what only an account of
 * the client's dialect can serve, what is told, and what is a hint that nobody will miss.
 */
export const lossTable: Readonly<Record<string, Readonly<Record<Treatment, readonly Feature[]>>>> =
  {
    'chat on generate': {
      native: ['assistant_prefill', 'custom_tools', 'file_url', 'image_url'],
      warn: [
        'image_detail',
        'parallel_tool_calls',
        'strict_tools',
        'system_midway',
        'tool_result_stray',
        'verbosity',
      ],
      silent: ['cache_key', 'end_user', 'metadata', 'reasoning_history'],
    },
    'chat on messages': {
      native: ['audio_input', 'candidates', 'custom_tools', 'logprobs'],
      warn: [
        'empty_message',
        'frequency_penalty',
        'image_detail',
        'json_object',
        'presence_penalty',
        'seed',
        'store',
        'system_midway',
        'temperature_above_1',
        'tool_result_stray',
        'verbosity',
      ],
      silent: ['cache_key', 'metadata', 'reasoning_history'],
    },
    'chat on responses': {
      native: ['assistant_prefill', 'audio_input', 'candidates'],
      warn: ['seed', 'stop', 'tool_result_stray'],
      silent: ['reasoning_history'],
    },
    'generate on chat': {
      native: ['assistant_prefill', 'audio_url', 'file_url'],
      warn: [
        'reasoning_budget',
        'tool_output_schema',
        'tool_result_failed',
        'tool_result_media',
        'top_k',
      ],
      silent: ['reasoning_history'],
    },
    'generate on messages': {
      native: ['audio_input', 'audio_url', 'candidates', 'logprobs'],
      warn: [
        'empty_message',
        'frequency_penalty',
        'json_object',
        'presence_penalty',
        'seed',
        'store',
        'system_midway',
        'temperature_above_1',
        'tool_output_schema',
      ],
      silent: ['reasoning_history'],
    },
    'generate on responses': {
      native: ['assistant_prefill', 'audio_input', 'audio_url', 'candidates'],
      warn: ['reasoning_budget', 'seed', 'stop', 'tool_result_failed', 'top_k'],
      silent: ['reasoning_history'],
    },
    'messages on chat': {
      native: ['assistant_prefill', 'file_url'],
      warn: [
        'reasoning_budget',
        'tool_result_failed',
        'tool_result_media',
        'tool_result_stray',
        'top_k',
      ],
      silent: ['reasoning_history'],
    },
    'messages on generate': {
      native: ['assistant_prefill', 'file_url', 'image_url'],
      warn: ['parallel_tool_calls', 'strict_tools', 'system_midway', 'tool_result_stray'],
      silent: ['end_user', 'reasoning_history'],
    },
    'messages on responses': {
      native: ['assistant_prefill'],
      warn: ['reasoning_budget', 'stop', 'tool_result_failed', 'tool_result_stray', 'top_k'],
      silent: ['reasoning_history'],
    },
    'responses on chat': {
      native: ['file_url'],
      warn: ['reasoning_summary', 'tool_output_schema', 'tool_result_media', 'tool_result_stray'],
      silent: ['metadata', 'reasoning_history'],
    },
    'responses on generate': {
      native: ['custom_tools', 'file_url', 'image_url'],
      warn: [
        'image_detail',
        'parallel_tool_calls',
        'strict_tools',
        'system_midway',
        'tool_result_stray',
        'verbosity',
      ],
      silent: ['cache_key', 'end_user', 'metadata', 'reasoning_history', 'reasoning_summary'],
    },
    'responses on messages': {
      native: ['audio_input', 'custom_tools', 'logprobs'],
      warn: [
        'empty_message',
        'frequency_penalty',
        'image_detail',
        'json_object',
        'presence_penalty',
        'system_midway',
        'temperature_above_1',
        'tool_output_schema',
        'tool_result_stray',
        'verbosity',
      ],
      silent: ['cache_key', 'metadata', 'reasoning_history', 'reasoning_summary'],
    },
  }
