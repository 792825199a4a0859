import type { AdminBuilder, AdminKit } from '../../src/admin/index.ts'
import { definePlugin, type GatewayPlugin, type PluginRecords } from '../../src/index.ts'

/** How often a model was asked for, and since when. */
interface Note {
  readonly model: string
  readonly count: number
}

/** Counts the calls of each model in records of its own, and shows them in the admin API. */
export function notes(name = 'notes'): GatewayPlugin {
  let records: PluginRecords<Note> | undefined
  let failures = 0
  return definePlugin({
    name,
    async onStart(input) {
      records = input.records<Note>('models', { listed: true })
      input.signal.addEventListener('abort', () => input.log.info('notes end'))
      input.log.info('notes begin')
    },
    probes: { store: () => ({ ok: failures === 0, message: `${failures} failed writes` }) },
    async onOutcome({ exchange: { model } }) {
      try {
        await count(records, model.name)
      } catch {
        failures++
      }
    },
    admin(builder: AdminBuilder, { act }: AdminKit) {
      const note = builder.objectRef<Note>('ModelNote').implement({
        authScopes: { viewer: true },
        fields: (t) => ({ model: t.exposeString('model'), count: t.exposeInt('count') }),
      })
      builder.queryField('modelNotes', (t) =>
        t.field({
          type: [note],
          authScopes: { operator: true },
          resolve: async () => {
            const listed = (await records?.list({ limit: 100 })) ?? []
            return listed.flatMap(({ value }) => value ?? [])
          },
        }),
      )
      act({
        name: 'forgetModelNote',
        description: 'Forgets how often a model was asked for.',
        role: 'operator',
        action: 'model-note.forget',
        input: builder.inputType('ForgetModelNoteInput', {
          fields: (t) => ({ model: t.string({ required: true }) }),
        }),
        success: builder.objectRef<{ model: string }>('ForgetModelNoteSuccess').implement({
          authScopes: { viewer: true },
          fields: (t) => ({ model: t.exposeString('model') }),
        }),
        target: ({ model }) => ({ type: 'model-note', id: model }),
        async run({ model }) {
          if (await records?.delete(model)) return { done: { model } }
          return { failure: 'NotFound', message: 'There is no such note.' }
        },
      })
    },
  })
}

async function count(records: PluginRecords<Note> | undefined, model: string): Promise<void> {
  const isNew = await records?.add(model, { model, count: 1 })
  if (isNew === false) await records?.update(model, (note) => ({ ...note, count: note.count + 1 }))
}
