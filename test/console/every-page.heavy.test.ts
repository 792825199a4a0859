import { describeEveryPage } from './views-of-pages.ts'

describeEveryPage([
  { role: 'viewer', theme: 'dark', width: 320, height: 844 },
  { role: 'operator', theme: 'light', width: 390, height: 844, forcedColors: true },
])
