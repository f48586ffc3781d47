import { eachWithItsApp } from './open-app.tsx';

eachWithItsApp();
