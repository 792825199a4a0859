/** What is asked and what is answered: the three workloads, as the exact bytes that travel. */

export const workloadNames = ['json', 'coalesced', 'per-write'] as const
export type WorkloadName = (typeof workloadNames)[number]

export const workloadTitles: Record<WorkloadName, string> = {
  json: 'JSON, 1.3 KB request, 1.5 KB reply',
  coalesced: 'stream of 200 frames in one write',
  'per-write': 'stream of 200 frames, one frame per write',
}

/** The upstream tells the workloads apart by the model's name: every proxy passes that on. */
export function modelOf(workload: WorkloadName): string {
  return `bench-${workload}`
}

export function requestBody(workload: WorkloadName): Buffer {
  return Buffer.from(
    JSON.stringify({
      model: modelOf(workload),
      messages: [
        { role: 'system', content: 'You answer briefly and name your sources. '.repeat(6).trim() },
        {
          role: 'user',
          content: 'What does the harbour pilot do at high water? '.repeat(20).trim(),
        },
      ],
      temperature: 0.7,
      max_tokens: 512,
      ...(workload === 'json' ? {} : { stream: true }),
    }),
  )
}

const identity = { id: 'chatcmpl-bench', created: 1_700_000_000, model: 'bench' }

export function replyBody(): Buffer {
  const content = 'The pilot boards at the outer buoy and takes the ship in. '.repeat(22).trim()
  return Buffer.from(
    JSON.stringify({
      ...identity,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 210, completion_tokens: 240, total_tokens: 450 },
    }),
  )
}

export const frameCount = 200

/** A role, the words, a finish reason and `[DONE]`: 200 frames of about 160 bytes. */
export function streamFrames(): Buffer[] {
  const words = Array.from({ length: frameCount - 3 }, (_, index) =>
    frame({ content: ` word${index}` }),
  )
  return [
    frame({ role: 'assistant', content: '' }),
    ...words,
    frame({}, 'stop'),
    Buffer.from('data: [DONE]\n\n'),
  ]
}

function frame(delta: object, finishReason: string | null = null): Buffer {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  const event = { ...identity, object: 'chat.completion.chunk', choices }
  return Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
}
