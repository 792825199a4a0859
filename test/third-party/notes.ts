import type { AdminBuilder } from '../../src/admin/index.ts'
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
    admin(builder: AdminBuilder) {
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
    },
  })
}

async function count(records: PluginRecords<Note> | undefined, model: string): Promise<void> {
  const isNew = await records?.add(model, { model, count: 1 })
  if (isNew === false) await records?.update(model, (note) => ({ ...note, count: note.count + 1 }))
}
