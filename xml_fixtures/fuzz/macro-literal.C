t(){double m[][];for(t i=0;;i++)for(t j=0;;1++)m[i]+ j;
  m[-21][0] << dl;
}
