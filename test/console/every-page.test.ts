import { describeEveryPage } from './views-of-pages.ts'

describeEveryPage([{ role: 'admin', theme: 'light', width: 1280 }])
